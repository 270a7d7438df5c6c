import type { VaultUse, SealedColumn } from '@causeway/chassis'
import { secretContext } from './engine/registry.ts'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'destinations', key: 'id', column: 'secret_sealed', contextOf: secretContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['cursor'],
}
