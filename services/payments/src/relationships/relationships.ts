import { atMostEntries, type Db } from '@causeway/chassis'
import type { CapabilityName, RelationshipState } from '@causeway/contracts'
import { LRUCache } from 'lru-cache'
import type { Onboarding } from '../clients/onboarding.ts'
import type { Eligibility } from './eligibility.ts'
import { getMerchant, upsertRelationships } from './store.ts'

const MAX_CACHED = 100_000

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>

/** Relationships from this service's projection, or from onboarding where they are not projected yet. */
export type Relationships = Readonly<{
  /**
   * The merchant behind a relationship of this partner, or null. It never changes, so it is cached; visibility and
   * grants do change and are checked by the statements themselves.
   * @throws NotDoneError when onboarding must be asked and is unavailable
   */
  merchantOf: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
  /**
   * The present state at onboarding, which is then projected: asked before a refusal, because the projection may lag.
   * @throws NotDoneError when onboarding must be asked and is unavailable
   */
  refresh: (
    partnerId: string,
    partnerCustomerId: string,
    capability: CapabilityName,
  ) => Promise<Eligibility | null>
}>

const eligibilityOf = (state: RelationshipState, capability: CapabilityName): Eligibility => {
  const found = state.capabilities.find((entry) => entry.capability === capability)
  return {
    status: state.status,
    enabled: found?.enabled ?? false,
    available: found?.available ?? false,
    reason: found?.reason ?? null,
  }
}

export const createRelationships = (options: { db: Db; onboarding: Onboarding }): Relationships => {
  const { db, onboarding } = options
  const ask = async (partnerId: string, partnerCustomerId: string): Promise<RelationshipState | null> => {
    const state = await onboarding.resolve(partnerId, partnerCustomerId)
    if (state?.partner_id !== partnerId) return null
    await upsertRelationships(db, [state])
    return state
  }
  const findOrAsk = async (partnerId: string, partnerCustomerId: string): Promise<string | undefined> =>
    (await getMerchant(db, { partnerId, partnerCustomerId }))?.merchantId ??
    (await ask(partnerId, partnerCustomerId))?.customer_id ??
    undefined
  /** Concurrent first calls for a customer share one lookup, which also answers if the cache drops it meanwhile. */
  const merchants = new LRUCache<string, string, Customer>({
    ...atMostEntries(MAX_CACHED),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => findOrAsk(context.partnerId, context.partnerCustomerId),
  })

  return {
    async merchantOf(partnerId, partnerCustomerId) {
      const context = { partnerId, partnerCustomerId }
      return (await merchants.fetch(`${partnerId}/${partnerCustomerId}`, { context })) ?? null
    },
    async refresh(partnerId, partnerCustomerId, capability) {
      const state = await ask(partnerId, partnerCustomerId)
      return state && eligibilityOf(state, capability)
    },
  }
}
