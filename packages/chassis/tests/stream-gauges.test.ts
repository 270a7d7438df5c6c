import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, registry, startStreamKeeper, type Bus } from '../src/index.ts'
import { eventually, forgetEvents, testBus } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

const BOUNDS = { events: 64 * 1_048_576, documents: 64 * 1_048_576, replicas: 1 }

let bus: Bus
beforeAll(async () => {
  bus = await testBus()
  await forgetEvents(bus)
})
afterAll(() => bus.close())

const valuesOf = async (name: string, label: string) => {
  const values = (await registry.getSingleMetric(name)?.get())?.values ?? []
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels[label]), value] as const))
}

test("exports a stream's servers and each consumer's backlog, and drops the values once NATS is unavailable", async () => {
  let isConnected = true
  const keeper = await startStreamKeeper({
    bus: { ...bus, connected: () => isConnected },
    log: silent,
    bounds: BOUNDS,
    everyMs: 20,
  })
  for (const name of ['payments.payment.late', 'onboarding.relationship.changed'])
    await bus.publishEvent(`events.${name}`, '{}', newId('event'), null)
  const pending = () => valuesOf('causeway_stream_pending_messages', 'consumer')
  await eventually(async () => (await pending())['webhooks-fanout'] === 2)
  expect(await pending()).toEqual({
    'access-notices': 0,
    'ledger-facts': 0,
    'ledger-projection': 1,
    'onboarding-disputes': 0,
    'payments-projection': 1,
    'refunds-counted': 0,
    'webhooks-fanout': 2,
    'webhooks-projection': 0,
  })
  const consumer = await bus.jetstream.consumers.get('EVENTS', 'payments-projection')
  await consumer.next({ expires: 5_000 })
  const unacknowledged = () => valuesOf('causeway_stream_unacknowledged_messages', 'consumer')
  await eventually(async () => (await unacknowledged())['payments-projection'] === 1)
  for (const name of ['replicas', 'replicas_current', 'has_leader'])
    expect(await valuesOf(`causeway_stream_${name}`, 'stream')).toEqual({
      EVENTS: 1,
      MARKS: 1,
      OBJ_documents: 1,
    })

  isConnected = false
  await eventually(async () => (await valuesOf('causeway_stream_has_leader', 'stream'))['EVENTS'] === 0)
  expect(await valuesOf('causeway_stream_replicas_current', 'stream')).toEqual({
    EVENTS: 0,
    MARKS: 0,
    OBJ_documents: 0,
  })
  expect(await pending()).toEqual({})
  await keeper.stop()
})
