import type { Clock, Logger } from '@causeway/chassis'
import type { Onboarding } from '../clients/onboarding.ts'

const KEPT_MS = 60_000
const MAX_KNOWN = 50_000
/** As much as every processor shows. */
const MAX_LENGTH = 200

export type MerchantNames = Readonly<{
  /** What payers are shown as the merchant; null where nobody has said, or onboarding cannot be asked now. */
  of: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
}>

const shown = (name: string | null): string | null =>
  name === null ? null : name.trim().slice(0, MAX_LENGTH).toWellFormed() || null

/** Asks onboarding for the names of customers, and remembers them for a minute. */
export const createMerchantNames = (
  { clock, log }: Readonly<{ clock: Pick<Clock, 'nowMs'>; log: Pick<Logger, 'warn'> }>,
  onboarding: Pick<Onboarding, 'nameOf'>,
): MerchantNames => {
  const known = new Map<string, { name: string | null; askedMs: number }>()

  return {
    async of(partnerId, partnerCustomerId) {
      const key = `${partnerId}/${partnerCustomerId}`
      const before = known.get(key)
      if (before && clock.nowMs() - before.askedMs < KEPT_MS) return before.name
      try {
        const name = shown(await onboarding.nameOf(partnerId, partnerCustomerId))
        const oldest = known.keys().next()
        if (known.size >= MAX_KNOWN && !oldest.done) known.delete(oldest.value)
        known.set(key, { name, askedMs: clock.nowMs() })
        return name
      } catch (error) {
        log.warn({ error }, "A merchant's name could not be asked for")
        return before?.name ?? null
      }
    },
  }
}
