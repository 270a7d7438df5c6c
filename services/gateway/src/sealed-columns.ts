import type { VaultUse, SealedColumn } from '@causeway/chassis'
import { signingKeyContext } from './signing-keys/domain.ts'

/** Every column of this service that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'signing_keys', key: 'kid', column: 'private_sealed', contextOf: signingKeyContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['client-secret', 'merchant-api-key', 'cursor'],
}
