import type { VaultUse, SealedColumn } from '@causeway/chassis'
import { requestContext, resultContext } from './pending-actions/request.ts'
import { signingKeyContext } from './signing-keys/domain.ts'

/** Every column of this service that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'signing_keys', key: 'kid', column: 'private_sealed', contextOf: signingKeyContext },
  {
    table: 'pending_actions',
    key: 'pending_action_id',
    column: 'request_sealed',
    contextOf: requestContext,
  },
  { table: 'pending_actions', key: 'pending_action_id', column: 'result_sealed', contextOf: resultContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['client-secret', 'merchant-api-key', 'cursor'],
}
