import { NotDoneError, refuse, type Clock, type Db, type ServiceClient } from '@causeway/chassis'
import { relationships, type CapabilityName, type Refusal, type RelationshipState } from '@causeway/contracts'
import { getStanding, upsertRelationships, type Standing } from './store.ts'

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>
type Refused = Refusal<'resource_not_found' | 'capability_not_enabled'>
type Unavailable = Refused | Refusal<'capability_unavailable'>

/** Returns the refusal of an unknown relationship, or null. Unknown and revoked look alike (decisions §3). */
const refusalOfUnknown = (standing: Standing | null) =>
  standing?.status === 'active' ? null : refuse('resource_not_found')

/** Returns the refusal to use a capability of a relationship, or null. */
const refusalOf = (standing: Standing | null, capability: CapabilityName): Refused | null =>
  refusalOfUnknown(standing) ??
  (standing?.grants.includes(capability) ? null : refuse('capability_not_enabled'))

/** Relationships from the projection, or from onboarding where the projection would refuse. */
export type Relationships = Readonly<{
  /**
   * Returns the refusal to use the capability, or null. Requests the state from onboarding before a refusal: the projection
   * may lag.
   * @throws NotDoneError when onboarding is needed and unavailable
   */
  refuseUngranted: (customer: Customer, capability: CapabilityName) => Promise<Refused | null>
  /**
   * Returns the refusal to use a capability that must be granted and available now, or null. It always requests the state
   * from onboarding: money must not leave by a state that is out of date.
   * @throws NotDoneError when onboarding is unavailable
   */
  refuseUnavailable: (customer: Customer, capability: CapabilityName) => Promise<Unavailable | null>
  /** The same as `refuseUngranted` where no capability is needed. */
  refuseUnknown: (customer: Customer) => Promise<Refusal<'resource_not_found'> | null>
}>

/** @param ask sends requests over the bus */
export const createRelationships = (db: Db, ask: ServiceClient, clock: Pick<Clock, 'now'>): Relationships => {
  const refresh = async ({ partnerId, partnerCustomerId }: Customer): Promise<RelationshipState | null> => {
    const body = { partner_id: partnerId, partner_customer_id: partnerCustomerId }
    const outcome = await ask(relationships.getState, body)
    if (outcome.ok) {
      await upsertRelationships(db, [outcome.value], clock.now())
      return outcome.value
    }
    if (outcome.code !== 'resource_not_found') throw new NotDoneError(`Onboarding returned ${outcome.code}`)
    return null
  }
  const judge = async <R>(customer: Customer, refusalOf: (standing: Standing | null) => R | null) => {
    const refusal = refusalOf(await getStanding(db, customer))
    if (refusal === null) return null
    await refresh(customer)
    return refusalOf(await getStanding(db, customer))
  }
  return {
    refuseUngranted: (customer, capability) => judge(customer, (standing) => refusalOf(standing, capability)),
    async refuseUnavailable(customer, capability) {
      const state = await refresh(customer)
      if (state?.status !== 'active') return refuse('resource_not_found')
      const own = state.capabilities.find((each) => each.capability === capability)
      if (!own?.enabled) return refuse('capability_not_enabled')
      return own.available ? null : refuse('capability_unavailable', [{ reason: own.reason }])
    },
    refuseUnknown: (customer) => judge(customer, refusalOfUnknown),
  }
}
