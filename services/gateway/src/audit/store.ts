import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import type { Link } from './chain.ts'
import { boundedState, type AuditRecord } from './record.ts'

const append = statement({
  name: 'audit.append',
  text: 'SELECT audit.append($1, $2, $3) AS sequence',
  row: z.object({ sequence: z.number() }),
})
const list = statement({
  name: 'audit.list',
  text: `
    SELECT began.sequence, began.record AS began, ended.record AS ended
    FROM audit.records AS began
    LEFT JOIN audit.records AS ended ON ended.request_id = began.request_id AND ended.kind = 'ended'
    WHERE began.kind = 'began' AND began.sequence > $1
    ORDER BY began.sequence LIMIT $2`,
  row: z.object({ sequence: z.number(), began: z.string(), ended: z.string().nullable() }),
})
const links = statement({
  name: 'audit.links',
  text: `
    SELECT sequence, record, hash, request_id, kind FROM audit.records
    WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
  row: z.object({
    sequence: z.number(),
    record: z.string(),
    hash: z.string(),
    request_id: z.string(),
    kind: z.string(),
  }),
})
const head = statement({
  name: 'audit.head',
  text: `
    SELECT sequence, hash, (SELECT coalesce(max(sequence), 0) FROM audit.records) AS newest FROM audit.head`,
  row: z.object({ sequence: z.number(), hash: z.string(), newest: z.number() }),
})
const isRewritable = statement({
  name: 'audit.is-rewritable',
  text: `
    SELECT pg_has_role(relowner, 'MEMBER') OR pg_has_role(nspowner, 'MEMBER')
      OR has_table_privilege(pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') AS rewritable
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = 'audit.records'::regclass`,
  row: z.object({ rewritable: z.boolean() }),
})

const appendRecord = (db: Queryable, record: AuditRecord) =>
  db.query(append, [record.request_id, record.kind, JSON.stringify(record)])

type Beginning = Readonly<{
  entryId: string
  at: Date
  actor: string
  action: string
  target: string | null
  after: unknown
  requestId: string
}>

/**
 * The audit log of staff actions (decisions §14): records are appended to a chain and never changed. An append holds
 * the end of the chain until its transaction commits, so it is the last statement of one.
 */
export const auditStore = {
  begin: (db: Queryable, { entryId, at, actor, action, target, after, requestId }: Beginning) =>
    appendRecord(db, {
      kind: 'began',
      entry_id: entryId,
      at: at.toISOString(),
      actor,
      action,
      target,
      before: null,
      after: boundedState(after),
      request_id: requestId,
    }),
  /** Tells what came of an action, once; a `target` of null leaves the one given at first. */
  finish: (
    db: Queryable,
    requestId: string,
    { target, before, after }: Readonly<{ target: string | null; before: unknown; after: unknown }>,
  ) =>
    appendRecord(db, {
      kind: 'ended',
      request_id: requestId,
      target,
      before: boundedState(before),
      after: boundedState(after),
    }),
  /** Beginnings in the order of the chain, after a sequence, each with its end if it has come. */
  list: (db: Queryable, after: number, limit: number) => db.query(list, [after, limit]),
  /** Every record, in the order of the chain, after a sequence. */
  links: (
    db: Queryable,
    after: number,
    limit: number,
  ): Promise<(Link & { request_id: string; kind: string })[]> => db.query(links, [after, limit]),
  /** The end of the chain, and the sequence of the newest record, which is the same. */
  head: async (db: Queryable) => {
    const [row] = await db.query(head)
    if (row === undefined) throw new Error('The audit log has no head')
    return row
  },
  /** Whether the database role of this connection could change or remove records. */
  isRewritable: async (db: Queryable) => (await db.query(isRewritable))[0]?.rewritable ?? true,
}
