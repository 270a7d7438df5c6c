import type { Clock, Logger } from '@causeway/chassis'
import type { Onboarding } from '../clients/onboarding.ts'

const MAX_AGE_MS = 60_000
const MAX_CACHED = 50_000
/** Characters that every processor shows. */
const MAX_LENGTH = 200

export type MerchantNames = Readonly<{
  /** The merchant's name as payers see it; null where none is known, or onboarding is unavailable. */
  of: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
}>

const shown = (name: string | null): string | null =>
  name === null ? null : name.trim().slice(0, MAX_LENGTH).toWellFormed() || null

/** Names of customers from onboarding, cached for a minute. */
export const createMerchantNames = (
  { clock, log }: Readonly<{ clock: Pick<Clock, 'nowMs'>; log: Pick<Logger, 'warn'> }>,
  onboarding: Pick<Onboarding, 'nameOf'>,
): MerchantNames => {
  const cached = new Map<string, { name: string | null; askedMs: number }>()

  return {
    async of(partnerId, partnerCustomerId) {
      const key = `${partnerId}/${partnerCustomerId}`
      const before = cached.get(key)
      if (before && clock.nowMs() - before.askedMs < MAX_AGE_MS) return before.name
      try {
        const name = shown(await onboarding.nameOf(partnerId, partnerCustomerId))
        const oldest = cached.keys().next()
        if (cached.size >= MAX_CACHED && !oldest.done) cached.delete(oldest.value)
        cached.set(key, { name, askedMs: clock.nowMs() })
        return name
      } catch (error) {
        log.warn({ event: 'merchant_names.unavailable', error }, 'Merchant name unavailable from onboarding')
        return before?.name ?? null
      }
    },
  }
}
