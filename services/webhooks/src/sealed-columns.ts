import type { VaultUse, SealedColumn } from '@causeway/chassis'
import { secretContext } from './destinations/secret.ts'
import { bodyContext } from './engine/sealed-body.ts'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'destinations', key: 'id', column: 'secret_sealed', contextOf: secretContext },
  { table: 'destinations', key: 'id', column: 'former_secret_sealed', contextOf: secretContext },
  { table: 'events', key: 'event_id', column: 'body_sealed', contextOf: bodyContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['cursor'],
}
