import { isId, type Db } from '@causeway/chassis'
import type { Payments } from '../clients/payments.ts'
import { recordIntegrations } from './reactions.ts'
import { findIntegration } from './store.ts'

export type IntegrationOwners = Readonly<{
  /**
   * Finds the merchant of an integration; null if the integration does not exist or is deleted. Payments is queried for
   * one that is not in the projection yet.
   * @throws NotDoneError when payments is unavailable
   */
  merchantOf: (integrationId: string) => Promise<string | null>
}>

export const createIntegrationOwners = ({
  db,
  payments,
}: Readonly<{ db: Db; payments: Payments }>): IntegrationOwners => ({
  async merchantOf(integrationId) {
    if (!isId('integration', integrationId)) return null
    const known = await findIntegration(db, { integrationId })
    if (known) return known.deleted ? null : known.merchantId
    const state = await payments.resolveIntegration(integrationId)
    if (state === null) return null
    await recordIntegrations(db, [state])
    return state.deleted ? null : state.customer_id
  },
})
