import { queryMany, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

/** Kinds of records, in their order for a transfer. The subject of `approved` is also the refund's id. */
export type RecordKind =
  'approved' | 'requested' | 'refused' | 'signed' | 'broadcast' | 'confirmed' | 'failed'

/** Appends to the chain. It locks the chain's end until the commit, so it is the last statement of a transaction. */
const append = queryOne({
  name: 'record.append',
  parameters: { subject: 'text', kind: 'text', record: 'text' },
  text: 'SELECT record.append(:subject, :kind, :record) AS sequence',
  row: z.object({ sequence: z.number() }),
})

/** Records what happened, with its time; the record cannot be changed afterwards (decisions §20). */
export const appendRecord = async (
  db: Queryable,
  {
    kind,
    subject,
    now,
    ...facts
  }: Readonly<{ kind: RecordKind; subject: string; now: Date }> & Readonly<Record<string, unknown>>,
): Promise<void> => {
  await append(db, {
    subject,
    kind,
    record: JSON.stringify({ kind, subject, at: now.toISOString(), ...facts }),
  })
}

/** Approvals that are read of one refund, at most. */
const APPROVALS_MAX = 100

/** Lists the approvals of a refund, newest first, by any sender. */
export const listApprovals = queryMany({
  name: 'record.approvals',
  parameters: { refundId: 'text' },
  text: `
    SELECT record FROM record.records WHERE subject = :refundId AND kind = 'approved'
    ORDER BY sequence DESC LIMIT ${APPROVALS_MAX}`,
  row: z.object({ record: z.string() }),
})

/** All records after a sequence, in the order of the chain. */
export const listLinks = queryMany({
  name: 'record.links',
  parameters: { afterSequence: 'bigint', limit: 'bigint' },
  text: `
    SELECT sequence, record, hash, subject, kind FROM record.records
    WHERE sequence > :afterSequence ORDER BY sequence LIMIT :limit`,
  row: z.object({
    sequence: z.number(),
    record: z.string(),
    hash: z.string(),
    subject: z.string(),
    kind: z.string(),
  }),
})

const readHead = queryOne({
  name: 'record.head',
  text: `
    SELECT sequence, hash, (SELECT coalesce(max(sequence), 0) FROM record.records) AS newest FROM record.head`,
  row: z.object({ sequence: z.number(), hash: z.string(), newest: z.number() }),
})

/** The head of the chain, and the sequence of the newest record, which must be the head's. */
export const getHead = async (db: Queryable) => {
  const head = await readHead(db)
  if (head === null) throw new Error('The record has no head')
  return head
}

const readPrivileges = queryOne({
  name: 'record.is-rewritable',
  text: `
    SELECT pg_has_role(relowner, 'MEMBER') OR pg_has_role(nspowner, 'MEMBER')
      OR has_table_privilege(pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') AS rewritable
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = 'record.records'::regclass`,
  row: z.object({ rewritable: z.boolean() }),
})

/** Checks whether the database role of this connection could change or delete records. */
export const isRewritable = async (db: Queryable): Promise<boolean> =>
  (await readPrivileges(db))?.rewritable ?? true
