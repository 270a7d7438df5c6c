import { atMostEntries, type Clock, type Logger } from '@causeway/chassis'
import { LRUCache } from 'lru-cache'
import type { Onboarding } from '../clients/onboarding.ts'

const MAX_AGE_MS = 60_000
const MAX_CACHED = 50_000
/** Characters that every processor shows. */
const MAX_LENGTH = 200

export type MerchantNames = Readonly<{
  /** The merchant's name as payers see it; null where none is known, or onboarding is unavailable. */
  of: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
}>

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>
type Answer = Readonly<{ name: string | null }>

const shown = (name: string | null): string | null =>
  name === null ? null : name.trim().slice(0, MAX_LENGTH).toWellFormed() || null

/** Names of customers from onboarding, cached for a minute by the platform's clock; used longer while it is unavailable. */
export const createMerchantNames = (
  { clock, log }: Readonly<{ clock: Pick<Clock, 'nowMs'>; log: Pick<Logger, 'warn'> }>,
  onboarding: Pick<Onboarding, 'nameOf'>,
): MerchantNames => {
  const ask = async ({ partnerId, partnerCustomerId }: Customer): Promise<Answer> => {
    try {
      return { name: shown(await onboarding.nameOf(partnerId, partnerCustomerId)) }
    } catch (error) {
      log.warn(
        { event: 'merchant_names.unavailable', error },
        "The merchant's name could not be read from onboarding",
      )
      throw error
    }
  }
  const answers = new LRUCache<string, Answer, Customer>({
    ...atMostEntries(MAX_CACHED),
    // An entry as old as `ttl` still counts as fresh.
    ttl: MAX_AGE_MS - 1,
    ttlResolution: 0,
    perf: { now: () => clock.nowMs() },
    allowStaleOnFetchRejection: true,
    fetchMethod: (_key, _last, { context }) => ask(context),
  })

  return {
    of: (partnerId, partnerCustomerId) =>
      answers.fetch(`${partnerId}/${partnerCustomerId}`, { context: { partnerId, partnerCustomerId } }).then(
        (answer) => answer?.name ?? null,
        () => null,
      ),
  }
}
