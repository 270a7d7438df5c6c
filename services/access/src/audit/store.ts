import { declareChainedLog, queryMany, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { boundedState, type AuditRecord } from './record.ts'

/** The log of what staff did, in the schema `audit`. */
export const auditLog = declareChainedLog('audit', 'request_id')

const appendRecord = (db: Queryable, record: AuditRecord): Promise<void> => auditLog.append(db, record)

type NewBeginning = Readonly<{
  entryId: string
  at: Date
  actor: string
  /** The second person, of an action that needed one. */
  confirmedBy?: string | undefined
  action: string
  target: string | null
  after: unknown
  requestId: string
}>

/** Records that an action of staff began (decisions §14). */
export const appendBeginning = (
  db: Queryable,
  { entryId, at, actor, confirmedBy, action, target, after, requestId }: NewBeginning,
): Promise<void> =>
  appendRecord(db, {
    kind: 'began',
    entry_id: entryId,
    at: at.toISOString(),
    actor,
    ...(confirmedBy !== undefined && { confirmed_by: confirmedBy }),
    action,
    target,
    before: null,
    after: boundedState(after),
    request_id: requestId,
  })

type End = Readonly<{ requestId: string; target?: string; before: unknown; after: unknown }>

/** Records how an action ended, once. @param end.target if left out, the target of the beginning */
export const appendEnd = (db: Queryable, { requestId, target, before, after }: End): Promise<void> =>
  appendRecord(db, {
    kind: 'ended',
    request_id: requestId,
    target: target ?? null,
    before: boundedState(before),
    after: boundedState(after),
  })

const BeginningRow = z.object({ sequence: z.number(), requestId: z.string(), began: z.string() })

/** Beginnings of actions after a sequence, in the order of the chain. */
export const listBeginnings = queryMany({
  name: 'audit.list',
  parameters: { sequence: 'bigint', limit: 'integer' },
  text: `
    SELECT sequence, request_id, record AS began FROM audit.records
    WHERE kind = 'began' AND sequence > :sequence ORDER BY sequence LIMIT :limit`,
  row: BeginningRow,
})

/** Beginnings of actions before a sequence, the newest first. */
export const listNewestBeginnings = queryMany({
  name: 'audit.list-newest',
  parameters: { sequence: 'bigint', limit: 'integer' },
  text: `
    SELECT sequence, request_id, record AS began FROM audit.records
    WHERE kind = 'began' AND sequence < :sequence ORDER BY sequence DESC LIMIT :limit`,
  row: BeginningRow,
})

/** How the actions of these requests ended, as far as they have. */
export const listEnds = queryMany({
  name: 'audit.list-ends',
  parameters: { requestIds: 'text[]' },
  text: `
    SELECT request_id, record AS ended FROM audit.records
    WHERE request_id = ANY(:requestIds) AND kind = 'ended'`,
  row: z.object({ requestId: z.string(), ended: z.string() }),
})

/** Staff keys of a name in any case, also revoked ones. */
export const listStaffKeysNamed = queryMany({
  name: 'audit.list-keys-named',
  parameters: { name: 'text' },
  text: 'SELECT staff_key_id FROM staff_keys WHERE lower(name) = lower(:name)',
  row: z.object({ staffKeyId: z.string() }),
})

/** Names of staff keys, also of revoked ones. */
export const listStaffKeyNames = queryMany({
  name: 'audit.list-key-names',
  parameters: { staffKeyIds: 'text[]' },
  text: 'SELECT staff_key_id, name FROM staff_keys WHERE staff_key_id = ANY (:staffKeyIds)',
  row: z.object({ staffKeyId: z.string(), name: z.string() }),
})
