import { call, newId, NotDoneError, type Bus, type Clock } from '@causeway/chassis'
import { relationships, type RelationshipState } from '@causeway/contracts'

export type Onboarding = Readonly<{
  /**
   * The state of a relationship as its owner knows it now, or null when this partner has no such relationship.
   * @throws NotDoneError when it cannot be asked now
   */
  resolve: (partnerId: string, partnerCustomerId: string) => Promise<RelationshipState | null>
}>

/** Asks onboarding over the bus. */
export const createOnboarding = (options: { bus: Bus; clock: Clock; timeoutMs: number }): Onboarding => ({
  async resolve(partnerId, partnerCustomerId) {
    const outcome = await call(options.bus, options.clock, relationships.resolve, {
      caller: { kind: 'service', service: 'payments' },
      requestId: newId('request'),
      timeoutMs: options.timeoutMs,
      safe: true,
      body: { partner_id: partnerId, partner_customer_id: partnerCustomerId },
    })
    if (outcome.ok) return outcome.value
    if (outcome.code === 'resource_not_found') return null
    throw new NotDoneError(`Onboarding answered ${outcome.code}`)
  },
})
