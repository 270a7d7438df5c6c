import { setTimeout as sleep } from 'node:timers/promises'
import type { Reporter } from './reporter.ts'
import type { ReceivedDelivery } from './receiver.ts'

const EVENT_WITHIN_MS = 30_000

/** Fields that an event must have in a partner event's `data`, or in a merchant event's `order` or `data`. */
export type ExpectedFields = Readonly<Record<string, string>>

export type Expectations = Readonly<{
  /** Waits for an event of the partner channel. */
  partnerEvent: (type: string, fields: ExpectedFields) => Promise<void>
  /** Waits for an event of the merchant channel. */
  merchantEvent: (name: string, fields: ExpectedFields) => Promise<void>
}>

const waitFor = async <T>(what: string, probe: () => T | undefined): Promise<T> => {
  const endsAtMs = performance.now() + EVENT_WITHIN_MS
  for (;;) {
    const found = probe()
    if (found !== undefined) return found
    if (performance.now() > endsAtMs)
      throw new Error(`${what} did not arrive within ${EVENT_WITHIN_MS / 1_000} s`)
    await sleep(50)
  }
}

/** The envelope of the merchant channel, which differs from the partner's. */
type MerchantBody = { event?: string; order?: object; data?: object }

const hasFields = (subject: object | undefined, fields: ExpectedFields): boolean =>
  Object.entries(fields).every(
    ([field, value]) => (subject as Record<string, unknown> | undefined)?.[field] === value,
  )

/**
 * Waits for events among a receiver's deliveries. @throws when one is missing after 30 s or its signature is invalid
 */
export const createExpectations = (
  deliveries: readonly ReceivedDelivery[],
  reporter: Reporter,
): Expectations => {
  const expectOne = async (name: string, fits: (delivery: ReceivedDelivery) => boolean) => {
    const delivery = await waitFor(name, () => deliveries.find(fits))
    if (!delivery.verified) throw new Error(`${name}: ${String(delivery.fault)}`)
    reporter.log(`received ${name}, signature verified: ${JSON.stringify(delivery.event)}`)
  }
  return {
    partnerEvent: (type, fields) =>
      expectOne(type, ({ event }) => event.event_type === type && hasFields(event.data, fields)),
    merchantEvent: (name, fields) =>
      expectOne(name, (delivery) => {
        const { event, order, data } = delivery.event as MerchantBody
        return event === name && hasFields(order ?? data, fields)
      }),
  }
}
