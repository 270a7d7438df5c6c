import { isId, type Db } from '@causeway/chassis'
import type { Payments } from '../clients/payments.ts'
import { recordIntegrations } from './reactions.ts'
import { findIntegration } from './store.ts'

export type IntegrationOwners = Readonly<{
  /**
   * The merchant of an integration, or null when there is none or it is deleted. One that is not in the projection yet
   * is asked of payments.
   * @throws NotDoneError when payments cannot be asked now
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
