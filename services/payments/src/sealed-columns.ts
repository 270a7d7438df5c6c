import { DATA_KEYS, type SealedColumn, type VaultUse } from '@causeway/chassis'
import { cryptoPayerContext, fiatPayerContext } from './payers/sealed-payers.ts'

/** Data from before monthly keys is re-encrypted with the key of its order's month. */
const subject = `to_char(created_at AT TIME ZONE 'UTC', '"payers-"YYYY-MM')`

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  DATA_KEYS,
  { table: 'crypto_orders', key: 'id', column: 'payer_sealed', contextOf: cryptoPayerContext, subject },
  { table: 'fiat_orders', key: 'id', column: 'payer_sealed', contextOf: fiatPayerContext, subject },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['payer-ip', 'payer-email', 'cursor'],
}
