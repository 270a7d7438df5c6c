import { NotDoneError, refuse, type Db, type ServiceClient } from '@causeway/chassis'
import { relationships, type CapabilityName, type Refusal } from '@causeway/contracts'
import { getStanding, upsertRelationships, type Standing } from './store.ts'

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>
type Refused = Refusal<'resource_not_found' | 'capability_not_enabled'>

/** Returns the refusal to use a capability of a relationship, or null. Unknown and revoked look alike (decisions §3). */
const refusalOf = (standing: Standing | null, capability: CapabilityName): Refused | null => {
  if (standing?.status !== 'active') return refuse('resource_not_found')
  return standing.grants.includes(capability) ? null : refuse('capability_not_enabled')
}

/** Relationships from the projection, or from onboarding where the projection would refuse. */
export type Relationships = Readonly<{
  /**
   * Returns the refusal to use the capability, or null. Requests the state from onboarding before a refusal: the projection
   * may lag.
   * @throws NotDoneError when onboarding is needed and unavailable
   */
  refuseUngranted: (customer: Customer, capability: CapabilityName) => Promise<Refused | null>
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
  return {
    async refuseUngranted(customer, capability) {
      const refusal = refusalOf(await getStanding(db, customer), capability)
      if (refusal === null) return null
      await refresh(customer)
      return refusalOf(await getStanding(db, customer), capability)
    },
  }
}
