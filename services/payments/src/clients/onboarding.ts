import { NotDoneError, type ServiceClient } from '@causeway/chassis'
import { relationships, type RelationshipState } from '@causeway/contracts'

export type Onboarding = Readonly<{
  /**
   * The present state of a relationship at onboarding, or null when this partner has no such relationship.
   * @throws NotDoneError when onboarding is unavailable
   */
  resolve: (partnerId: string, partnerCustomerId: string) => Promise<RelationshipState | null>
  /**
   * The customer's name, or null when none was submitted.
   * @throws NotDoneError when onboarding is unavailable
   */
  nameOf: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
}>

/** @param ask asks over the bus */
export const createOnboarding = (ask: ServiceClient): Onboarding => ({
  async resolve(partnerId, partnerCustomerId) {
    const body = { partner_id: partnerId, partner_customer_id: partnerCustomerId }
    const outcome = await ask(relationships.getState, body)
    if (outcome.ok) return outcome.value
    if (outcome.code === 'resource_not_found') return null
    throw new NotDoneError(`Onboarding returned ${outcome.code}`)
  },
  async nameOf(partnerId, partnerCustomerId) {
    const body = { partner_id: partnerId, partner_customer_id: partnerCustomerId }
    const outcome = await ask(relationships.getName, body)
    if (outcome.ok) return outcome.value.name
    throw new NotDoneError(`Onboarding returned ${outcome.code}`)
  },
})
