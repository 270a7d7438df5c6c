import type { VaultUse, SealedColumn } from '@causeway/chassis'
import { fiatPayerContext } from './operations/payers.ts'
import { payerContext } from './operations/order-drafts.ts'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'crypto_orders', key: 'id', column: 'payer_sealed', contextOf: payerContext },
  { table: 'fiat_orders', key: 'id', column: 'payer_sealed', contextOf: fiatPayerContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['payer-ip', 'payer-email', 'cursor'],
}
