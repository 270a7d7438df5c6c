import { call, newId, NotDoneError, type Bus, type Clock } from '@causeway/chassis'
import { relationships, type RelationshipState } from '@causeway/contracts'

export type Onboarding = Readonly<{
  /**
   * The state of a relationship as its owner knows it now, or null when this partner has no such relationship.
   * @throws NotDoneError when it cannot be asked now
   */
  resolve: (partnerId: string, partnerCustomerId: string) => Promise<RelationshipState | null>
  /**
   * What the customer is called, or null when nobody has said.
   * @throws NotDoneError when it cannot be asked now
   */
  nameOf: (partnerId: string, partnerCustomerId: string) => Promise<string | null>
}>

/** Asks onboarding over the bus. */
export const createOnboarding = (options: { bus: Bus; clock: Clock; timeoutMs: number }): Onboarding => {
  const { bus, clock, timeoutMs } = options
  const input = (partnerId: string, partnerCustomerId: string) => ({
    caller: { kind: 'service' as const, service: 'payments' as const },
    requestId: newId('request'),
    timeoutMs,
    safe: true,
    body: { partner_id: partnerId, partner_customer_id: partnerCustomerId },
  })
  return {
    async resolve(partnerId, partnerCustomerId) {
      const outcome = await call(bus, clock, relationships.getState, input(partnerId, partnerCustomerId))
      if (outcome.ok) return outcome.value
      if (outcome.code === 'resource_not_found') return null
      throw new NotDoneError(`Onboarding answered ${outcome.code}`)
    },
    async nameOf(partnerId, partnerCustomerId) {
      const outcome = await call(bus, clock, relationships.getName, input(partnerId, partnerCustomerId))
      if (outcome.ok) return outcome.value.name
      throw new NotDoneError(`Onboarding answered ${outcome.code}`)
    },
  }
}
