import { createHash } from 'node:crypto'
import type { Vault } from '@causeway/chassis'
import type { PendingAction } from '@causeway/contracts'
import { z } from 'zod'
import { withoutCredentials } from '../audit/redaction.ts'
import type { PendingActionRecord } from './store.ts'

/** A request as it was made, with what it would change. */
const HeldRequest = z.object({
  paramsJson: z.string().optional(),
  bodyJson: z.string().optional(),
  before: z.unknown(),
  queryJson: z.string().optional(),
  idempotencyKey: z.string().optional(),
})
export type HeldRequest = z.infer<typeof HeldRequest>

/** The hash that names a request. */
export const requestHash = (operation: string, request: HeldRequest): string =>
  createHash('sha256')
    .update(JSON.stringify({ operation, ...request }))
    .digest('hex')

/** The context to which a sealed request is bound. */
export const requestContext = (pendingActionId: string): string => `pending-action-request:${pendingActionId}`
/** The context to which a sealed result is bound. */
export const resultContext = (pendingActionId: string): string => `pending-action-result:${pendingActionId}`

/** How long nobody can tell whether an action that was confirmed is still being carried out: longer than any deadline. */
export const LEASE_MS = 120_000

export const sealRequest = (vault: Vault, pendingActionId: string, request: HeldRequest): string =>
  vault.seal(JSON.stringify(request), requestContext(pendingActionId))

export const openRequest = (
  vault: Vault,
  { pendingActionId, requestSealed }: Pick<PendingActionRecord, 'pendingActionId' | 'requestSealed'>,
): HeldRequest => {
  const opened = vault.open(requestSealed, requestContext(pendingActionId))
  return HeldRequest.parse(JSON.parse(opened.toString('utf8')))
}

const statusAt = ({ status, expiresAt, decidedAt }: PendingActionRecord, now: Date) => {
  if (status === 'waiting' && expiresAt <= now) return 'expired'
  const isLapsed = decidedAt !== null && decidedAt.getTime() <= now.getTime() - LEASE_MS
  return status === 'confirmed' && isLapsed ? 'unknown' : status
}

/** A pending action in the API. */
export const present = (vault: Vault, record: PendingActionRecord, now: Date): PendingAction => {
  const { bodyJson, before } = openRequest(vault, record)
  return {
    pending_action_id: record.pendingActionId,
    action: record.action,
    target: record.target,
    role: record.role,
    // The person who confirms an erasure must see whose data it is; the audit log leaves personal data out.
    asked: bodyJson === undefined ? null : withoutCredentials(JSON.parse(bodyJson)),
    before: before ?? null,
    request_sha256: record.requestSha256,
    status: statusAt(record, now),
    requested_by: record.requestedBy,
    requested_by_name: record.requestedByName,
    requested_at: record.requestedAt.toISOString(),
    expires_at: record.expiresAt.toISOString(),
    decided_by: record.decidedBy,
    decided_by_name: record.decidedByName,
    decided_at: record.decidedAt?.toISOString() ?? null,
    code: record.code,
    has_result: record.hasResult,
  }
}
