import { newId, type Transaction } from '@causeway/chassis'
import { DEFAULT_NAME, integrationChanged } from './domain.ts'
import * as store from './store.ts'

export type Seedling = Readonly<{ partnerId: string; partnerCustomerId: string; merchantId: string }>

/** Gives each relationship the integration that it begins with; those that have had theirs stay as they are. */
export const seedIntegrations = async (
  tx: Transaction,
  relationships: readonly Seedling[],
  options: { processor: string; now: Date },
): Promise<void> => {
  const rows = await tx.query(store.seed, [
    relationships.map(() => newId('integration')),
    relationships.map((relationship) => relationship.partnerId),
    relationships.map((relationship) => relationship.partnerCustomerId),
    relationships.map((relationship) => relationship.merchantId),
    DEFAULT_NAME,
    options.processor,
    options.now,
  ])
  for (const row of rows)
    tx.emit(integrationChanged(row, { eventId: newId('event'), deleted: false, now: options.now }))
}
