import { NotDoneError, type ServiceClient } from '@causeway/chassis'
import { integrations, type IntegrationState } from '@causeway/contracts'

export type Payments = Readonly<{
  /**
   * The current state of an integration, with its owner; null if it does not exist.
   * @throws NotDoneError when payments is unavailable
   */
  resolveIntegration: (integrationId: string) => Promise<IntegrationState | null>
}>

/** @param ask asks over the bus */
export const createPayments = (ask: ServiceClient): Payments => ({
  async resolveIntegration(integrationId) {
    const outcome = await ask(integrations.resolve, { integration_id: integrationId })
    if (outcome.ok) return outcome.value
    if (outcome.code === 'resource_not_found') return null
    throw new NotDoneError(`Payments returned ${outcome.code}`)
  },
})
