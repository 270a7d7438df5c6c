import { queryMany, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { boundedState, type AuditRecord } from './record.ts'

/** Appends to the chain. It locks the chain's end until the commit, so it is the last statement of a transaction. */
const append = queryOne({
  name: 'audit.append',
  parameters: { requestId: 'text', kind: 'text', record: 'text' },
  text: 'SELECT audit.append(:requestId, :kind, :record) AS sequence',
  row: z.object({ sequence: z.number() }),
})

const appendRecord = async (db: Queryable, record: AuditRecord): Promise<void> => {
  await append(db, { requestId: record.request_id, kind: record.kind, record: JSON.stringify(record) })
}

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

/** All records after a sequence, in the order of the chain. */
export const listLinks = queryMany({
  name: 'audit.links',
  parameters: { afterSequence: 'bigint', limit: 'bigint' },
  text: `
    SELECT sequence, record, hash, request_id, kind FROM audit.records
    WHERE sequence > :afterSequence ORDER BY sequence LIMIT :limit`,
  row: z.object({
    sequence: z.number(),
    record: z.string(),
    hash: z.string(),
    requestId: z.string(),
    kind: z.string(),
  }),
})

const readHead = queryOne({
  name: 'audit.head',
  text: `
    SELECT sequence, hash, (SELECT coalesce(max(sequence), 0) FROM audit.records) AS newest FROM audit.head`,
  row: z.object({ sequence: z.number(), hash: z.string(), newest: z.number() }),
})

/** The head of the chain, and the sequence of the newest record, which must be the head's. */
export const getHead = async (db: Queryable) => {
  const head = await readHead(db)
  if (head === null) throw new Error('The audit log has no head')
  return head
}

const readPrivileges = queryOne({
  name: 'audit.is-rewritable',
  text: `
    SELECT pg_has_role(relowner, 'MEMBER') OR pg_has_role(nspowner, 'MEMBER')
      OR has_table_privilege(pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') AS rewritable
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = 'audit.records'::regclass`,
  row: z.object({ rewritable: z.boolean() }),
})

/** Checks whether the database role of this connection could change or delete records. */
export const isRewritable = async (db: Queryable): Promise<boolean> =>
  (await readPrivileges(db))?.rewritable ?? true
