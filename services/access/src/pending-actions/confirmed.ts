import { newId, type Vault } from '@causeway/chassis'
import { expectedJsonOf } from './preparation.ts'
import { openRequest } from './request.ts'
import type { StaffCall } from './staff-call.ts'
import type { PendingActionRecord } from './store.ts'

/** A confirmed action with all that is needed to carry it out. */
export type Confirmed = Readonly<{
  record: PendingActionRecord
  endpoint: StaffCall['endpoint']
  confirmedBy: string
  /** True if it may be carried out again after a run whose outcome is unknown. */
  isRepeatable: boolean
}>

/**
 * The original request under a new id, because the audit log has one action for each. The owner refuses it unless it
 * finds the state that the first person saw.
 */
export const callOf = (vault: Vault, { record, endpoint, confirmedBy }: Confirmed): StaffCall => {
  const { paramsJson, queryJson, bodyJson, idempotencyKey, before } = openRequest(vault, record)
  const { requestedBy, requestedRole } = record
  return {
    requestId: newId('request'),
    endpoint,
    actor: requestedBy,
    role: requestedRole,
    idempotencyKey,
    paramsJson,
    queryJson,
    bodyJson,
    expectedJson: expectedJsonOf(before),
    confirmedBy,
    confirms: record.pendingActionId,
  }
}
