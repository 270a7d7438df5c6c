import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ATTEMPTS } from '../attempt-rows.ts'
import { paymentEvent } from '../harness.ts'
import { CONNECTIONS } from './connections.ts'
import { FLOODS } from './floods.ts'
import { startFixture, type Fixture } from './hostile-fixture.ts'
import { STALLS } from './stalls.ts'

/** No stall times out while this test runs. */
const NEVER_MET_MS = 600_000
/** More than a destination has connections, so that each stall has a queue. */
const EVENTS_TO_STALLS = 10
const NEIGHBOUR_EVENTS = 60
const PATIENTLY = { withinMs: 120_000 }

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture([...STALLS, ...FLOODS, ...CONNECTIONS], { timeoutMs: NEVER_MET_MS })
})
afterAll(() => fixture.stop())

const stalled = () => fixture.cases.filter(({ behaviour }) => STALLS.includes(behaviour))
const endedStalls = async () => {
  const ids = stalled().map((one) => one.hostileId)
  const text = `SELECT 1 FROM deliveries d JOIN ${ATTEMPTS} a ON a.delivery_id = d.id WHERE d.destination_id = ANY ($1)`
  return (await fixture.harness.sql(text, [ids])).length
}

test('delivers all events of a healthy receiver before one stall has ended, with every kind of hostile receiver busy', async () => {
  const { harness, neighbour } = fixture
  const more = stalled().flatMap((one) => Array.from({ length: EVENTS_TO_STALLS }, () => one))
  await Promise.all([...fixture.cases, ...more].map((one) => fixture.publish(one)))
  const underWay = stalled().filter(({ behaviour }) => behaviour.requests !== 0)
  await eventually(() => underWay.every((one) => one.server.requests() > 0), PATIENTLY)
  const partnerId = newId('partner')
  const { webhook } = await harness.createWebhook(partnerId, `${neighbour.url}/own`)
  const events = Array.from({ length: NEIGHBOUR_EVENTS }, () => paymentEvent(partnerId))
  for (const event of events) await harness.publishEvent(event)
  await eventually(async () => {
    const [row] = await harness.sql<{ done: boolean }>(
      `SELECT count(*) = $2 AS done FROM deliveries WHERE destination_id = $1 AND state = 'delivered'`,
      [webhook.webhook_id, NEIGHBOUR_EVENTS],
    )
    return row?.done
  }, PATIENTLY)
  expect(await endedStalls()).toBe(0)
  const own = neighbour.hits.filter((hit) => hit.path.endsWith('/own'))
  expect(own.map((hit) => (JSON.parse(hit.body) as { event_id: string }).event_id).sort()).toEqual(
    events.map((event) => event.id).sort(),
  )
})

test('delivers every event to the other destinations of partners with hostile receivers', async () => {
  const ids = fixture.cases.map((one) => one.neighbourId)
  const expected = 2 * fixture.cases.length + EVENTS_TO_STALLS * stalled().length
  await eventually(async () => {
    const [row] = await fixture.harness.sql<{ done: boolean }>(
      `SELECT count(*) = $2 AS done FROM deliveries WHERE destination_id = ANY ($1) AND state = 'delivered'`,
      [ids, expected],
    )
    return row?.done
  }, PATIENTLY)
  expect(await endedStalls()).toBe(0)
})
