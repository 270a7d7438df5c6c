import type { Db } from '@causeway/chassis'
import type { CapabilityName, RelationshipState } from '@causeway/contracts'
import type { Onboarding } from '../clients/onboarding.ts'
import type { Standing } from './eligibility.ts'
import { getMerchant, upsertRelationships } from './store.ts'

const MAX_KNOWN = 100_000

/** Who a relationship joins, and how it stands, from this service's projection or else from its owner. */
export type Relationships = Readonly<{
  /**
   * The merchant behind a relationship of this partner, or null. Never changes, so it is remembered; visibility and
   * grants do change and are judged by the statements themselves.
   * @throws NotDoneError when onboarding has to be asked and cannot
   */
  merchantOf: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
  /**
   * Asks onboarding anew and keeps its answer: what would be refused by a copy that lags behind is judged by the owner.
   * @throws NotDoneError when onboarding has to be asked and cannot
   */
  refresh: (
    partnerId: string,
    partnerCustomerId: string,
    capability: CapabilityName,
  ) => Promise<Standing | null>
}>

const standingOf = (state: RelationshipState, capability: CapabilityName): Standing => {
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
  const merchants = new Map<string, string>()
  /** A customer's first calls come together: the merchant of each is looked for once. */
  const looking = new Map<string, Promise<string | null>>()

  const remember = (key: string, merchantId: string): string => {
    const oldest = merchants.keys().next()
    if (merchants.size >= MAX_KNOWN && !oldest.done) merchants.delete(oldest.value)
    merchants.set(key, merchantId)
    return merchantId
  }
  const ask = async (partnerId: string, partnerCustomerId: string): Promise<RelationshipState | null> => {
    const state = await onboarding.resolve(partnerId, partnerCustomerId)
    if (state?.partner_id !== partnerId) return null
    await upsertRelationships(db, [state])
    return state
  }
  const look = async (partnerId: string, partnerCustomerId: string): Promise<string | null> =>
    (await getMerchant(db, { partnerId, partnerCustomerId }))?.merchantId ??
    (await ask(partnerId, partnerCustomerId))?.customer_id ??
    null

  return {
    async merchantOf(partnerId, partnerCustomerId) {
      const key = `${partnerId}/${partnerCustomerId}`
      const known = merchants.get(key)
      if (known !== undefined) return known
      const looked = looking.get(key) ?? look(partnerId, partnerCustomerId).finally(() => looking.delete(key))
      looking.set(key, looked)
      const merchantId = await looked
      return merchantId === null ? null : remember(key, merchantId)
    },
    async refresh(partnerId, partnerCustomerId, capability) {
      const state = await ask(partnerId, partnerCustomerId)
      return state && standingOf(state, capability)
    },
  }
}
