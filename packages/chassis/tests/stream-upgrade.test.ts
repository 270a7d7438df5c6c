import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { EVENT_STREAM } from '@causeway/contracts'
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream'
import type { Bus } from '../src/index.ts'
import { forgetEvents, makeStreams, testBus } from '../src/testing/index.ts'

const DURABLE = 'refunds-counted'
const SECOND_NS = 1_000_000_000

let bus: Bus
beforeAll(async () => {
  bus = await testBus()
  await forgetEvents(bus)
})
afterAll(() => bus.close())

test.each([
  ['waited longer for an acknowledgement', { ack_wait: 30 * SECOND_NS }],
  [
    'read other events',
    { filter_subjects: ['events.payments.payment.late', 'events.payments.payment.expired'] },
  ],
])('updates a consumer that in an earlier release %s', async (_, earlier) => {
  const manager = await bus.jetstreamManager()
  const { config } = await manager.consumers.info(EVENT_STREAM, DURABLE)
  await manager.consumers.delete(EVENT_STREAM, DURABLE)
  await manager.consumers.add(EVENT_STREAM, {
    durable_name: DURABLE,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: config.ack_wait ?? 0,
    filter_subjects: config.filter_subjects ?? [],
    ...earlier,
  })
  await makeStreams(bus)
  const { config: kept } = await manager.consumers.info(EVENT_STREAM, DURABLE)
  expect([kept.ack_wait, kept.filter_subjects, kept.filter_subject]).toEqual([
    config.ack_wait,
    config.filter_subjects,
    config.filter_subject,
  ])
})
