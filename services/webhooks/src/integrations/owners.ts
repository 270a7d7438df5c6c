import { isId, type Db } from '@causeway/chassis'
import type { Payments } from '../clients/payments.ts'
import { keep } from './reactions.ts'
import { findIntegration } from './store.ts'

export type IntegrationOwners = Readonly<{
  /**
   * The merchant of an integration, or null when there is no such integration any more. What the projection has not
   * heard of yet, its owner is asked for.
   * @throws NotDoneError when that cannot be asked now
   */
  merchantOf: (integrationId: string) => Promise<string | null>
}>

export const createIntegrationOwners = ({
  db,
  payments,
}: {
  db: Db
  payments: Payments
}): IntegrationOwners => ({
  async merchantOf(integrationId) {
    if (!isId('integration', integrationId)) return null
    const [known] = await db.query(findIntegration, [integrationId])
    if (known) return known.deleted ? null : known.merchant_id
    const state = await payments.resolveIntegration(integrationId)
    if (state === null) return null
    await keep(db, [state])
    return state.deleted ? null : state.customer_id
  },
})
