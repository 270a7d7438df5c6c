import { call, newId, NotDoneError, type Bus, type Clock } from '@causeway/chassis'
import { integrations, type IntegrationState } from '@causeway/contracts'

export type Payments = Readonly<{
  /**
   * Whose an integration is as its owner knows it now, or null when there is no such integration.
   * @throws NotDoneError when it cannot be asked now
   */
  resolveIntegration: (integrationId: string) => Promise<IntegrationState | null>
}>

const TIMEOUT_MS = 3_000

/** Asks payments over the bus. */
export const createPayments = ({ bus, clock }: { bus: Bus; clock: Clock }): Payments => ({
  async resolveIntegration(integrationId) {
    const outcome = await call(bus, clock, integrations.resolve, {
      caller: { kind: 'service', service: 'webhooks' },
      requestId: newId('request'),
      timeoutMs: TIMEOUT_MS,
      safe: true,
      body: { integration_id: integrationId },
    })
    if (outcome.ok) return outcome.value
    if (outcome.code === 'resource_not_found') return null
    throw new NotDoneError(`Payments answered ${outcome.code}`)
  },
})
