import type { Narrator } from './narrator.ts'
import type { ReceivedDelivery } from './receiver.ts'

const EVENT_WITHIN_MS = 30_000

/** Fields that an event must have, of a partner event's `data` or a merchant event's `order` or `data`. */
export type Concerns = Readonly<Record<string, string>>

export type Expectations = Readonly<{
  /** Waits for an event of the partner channel. */
  partnerEvent: (type: string, concerns: Concerns) => Promise<void>
  /** Waits for an event of the merchant channel. */
  merchantEvent: (name: string, concerns: Concerns) => Promise<void>
}>

const waitFor = async <T>(what: string, probe: () => T | undefined): Promise<T> => {
  const endsAtMs = performance.now() + EVENT_WITHIN_MS
  for (;;) {
    const found = probe()
    if (found !== undefined) return found
    if (performance.now() > endsAtMs)
      throw new Error(`${what} did not arrive within ${EVENT_WITHIN_MS / 1_000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The merchant's envelope, which has no fields of the partner's. */
type MerchantBody = { event?: string; order?: object; data?: object }

const concern = (subject: object | undefined, concerns: Concerns): boolean =>
  Object.entries(concerns).every(
    ([field, value]) => (subject as Record<string, unknown> | undefined)?.[field] === value,
  )

/** Awaits what a receiver gets. @throws when an event stays away or its signature is not right */
export const createExpectations = (
  deliveries: readonly ReceivedDelivery[],
  narrator: Narrator,
): Expectations => {
  const expectOne = async (name: string, fits: (delivery: ReceivedDelivery) => boolean) => {
    const delivery = await waitFor(name, () => deliveries.find(fits))
    if (!delivery.verified) throw new Error(`${name}: ${String(delivery.fault)}`)
    narrator.say(`received ${name}, signature verified: ${JSON.stringify(delivery.event)}`)
  }
  return {
    partnerEvent: (type, concerns) =>
      expectOne(type, ({ event }) => event.event_type === type && concern(event.data, concerns)),
    merchantEvent: (name, concerns) =>
      expectOne(name, (delivery) => {
        const { event, order, data } = delivery.event as MerchantBody
        return event === name && concern(order ?? data, concerns)
      }),
  }
}
