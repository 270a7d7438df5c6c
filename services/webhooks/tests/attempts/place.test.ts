import { newId } from '@causeway/chassis'
import { expect, test } from '@jest/globals'
import { paymentEvent, startHarness } from '../harness.ts'
import { startReceiver } from '../receiver.ts'

const DAY_MS = 24 * 3_600_000

/** Where the attempt is that delivered an event. */
const placeOf = async (settings: Readonly<{ eventRetentionMs: number; attemptRetentionMs: number }>) => {
  await using stack = new AsyncDisposableStack()
  const harness = await startHarness(undefined, settings)
  stack.defer(() => harness.stop())
  const receiver = await startReceiver()
  stack.defer(() => receiver.close())
  const partnerId = newId('partner')
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  await harness.publishEvent(paymentEvent(partnerId))
  await harness.deliveryWhen(partnerId, webhook.webhook_id, ({ status }) => status === 'delivered')
  const [counts] = await harness.sql(
    `SELECT (SELECT count(*)::integer FROM attempts) AS by_day,
       (SELECT count(*)::integer FROM deliveries WHERE first_at IS NOT NULL) AS in_delivery`,
  )
  return counts
}

test.each([
  { attempts: 2, events: 2, place: { by_day: 0, in_delivery: 1 } },
  { attempts: 1, events: 2, place: { by_day: 1, in_delivery: 0 } },
])(
  'purges attempts kept for $attempts days, with events kept for $events days, together with their rows',
  async ({ attempts, events, place }) => {
    const settings = { attemptRetentionMs: attempts * DAY_MS, eventRetentionMs: events * DAY_MS }
    expect(await placeOf(settings)).toEqual(place)
  },
)
