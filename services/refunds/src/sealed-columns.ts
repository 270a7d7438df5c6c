import type { VaultUse, SealedColumn } from '@causeway/chassis'
import { descriptionContext } from './refunds/descriptions.ts'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'refunds', key: 'id', column: 'description_sealed', contextOf: descriptionContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['cursor'],
}
