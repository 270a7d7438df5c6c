import { NotDoneError, refuse, type Db, type ServiceClient } from '@causeway/chassis'
import { relationships, type CapabilityName, type Refusal } from '@causeway/contracts'
import { getStanding, upsertRelationships, type Standing } from './store.ts'

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>
type Refused = Refusal<'resource_not_found' | 'capability_not_enabled'>

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
  /** The same where no capability is needed. */
  refuseUnknown: (customer: Customer) => Promise<Refusal<'resource_not_found'> | null>
}>

/** @param ask sends requests over the bus */
export const createRelationships = (db: Db, ask: ServiceClient): Relationships => {
  const refresh = async ({ partnerId, partnerCustomerId }: Customer): Promise<void> => {
    const body = { partner_id: partnerId, partner_customer_id: partnerCustomerId }
    const outcome = await ask(relationships.getState, body)
    if (outcome.ok) await upsertRelationships(db, [outcome.value])
    else if (outcome.code !== 'resource_not_found')
      throw new NotDoneError(`Onboarding returned ${outcome.code}`)
  }
  const judge = async <R>(customer: Customer, refusalOf: (standing: Standing | null) => R | null) => {
    const refusal = refusalOf(await getStanding(db, customer))
    if (refusal === null) return null
    await refresh(customer)
    return refusalOf(await getStanding(db, customer))
  }
  return {
    refuseUngranted: (customer, capability) => judge(customer, (standing) => refusalOf(standing, capability)),
    refuseUnknown: (customer) => judge(customer, refusalOfUnknown),
  }
}
