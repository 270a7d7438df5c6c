import { z } from 'zod'
import type { Db } from './db/db.ts'
import { queryMany, queryOne, type Queryable } from './db/statement.ts'
import { createChainVerifier, type Head, type Verification } from './hash-chain.ts'

/** Records that a verification or an export reads at a time. */
const PAGE = 500

type LogRecord<Subject extends string> = Readonly<Record<Subject | 'kind', string>> &
  Readonly<Record<string, unknown>>

const fieldsOf = (record: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(record) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Declares the statements of the log in a schema, which a migration of the service creates. */
const declareStatements = (schema: string, subject: string) => ({
  append: queryOne({
    name: `${schema}.append`,
    parameters: { subject: 'text', kind: 'text', record: 'text' },
    text: `SELECT ${schema}.append(:subject, :kind, :record) AS sequence`,
    row: z.object({ sequence: z.number() }),
  }),
  list: queryMany({
    name: `${schema}.links`,
    parameters: { afterSequence: 'bigint', limit: 'bigint' },
    text: `
      SELECT sequence, record, hash, ${subject} AS subject, kind FROM ${schema}.records
      WHERE sequence > :afterSequence ORDER BY sequence LIMIT :limit`,
    row: z.object({
      sequence: z.number(),
      record: z.string(),
      hash: z.string(),
      subject: z.string(),
      kind: z.string(),
    }),
  }),
  head: queryOne({
    name: `${schema}.head`,
    text: `
      SELECT sequence, hash, (SELECT coalesce(max(sequence), 0) FROM ${schema}.records) AS newest
      FROM ${schema}.head`,
    row: z.object({ sequence: z.number(), hash: z.string(), newest: z.number() }),
  }),
  isRewritable: queryOne({
    name: `${schema}.is-rewritable`,
    text: `
      SELECT pg_has_role(relowner, 'MEMBER') OR pg_has_role(nspowner, 'MEMBER')
        OR has_table_privilege(pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') AS rewritable
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE pg_class.oid = '${schema}.records'::regclass`,
    row: z.object({ rewritable: z.boolean() }),
  }),
})

/**
 * An append-only, chained log of JSON records in a separate schema (ADR 0041), declared once at module level.
 * @param subject the column, and the field of every record, that names what the record is about
 */
export function declareChainedLog<Subject extends string>(schema: string, subject: Subject) {
  const statements = declareStatements(schema, subject)

  /** The head of the chain, and the sequence of the newest record, which must be the head's. */
  async function getHead(db: Queryable): Promise<Head & { newest: number }> {
    const head = await statements.head(db)
    if (head === null) throw new Error(`The chained log ${schema} has no head`)
    return head
  }

  /** All records up to a sequence, in the order of the chain. */
  async function* pages(db: Db, until: number) {
    for (let after = 0; after < until;) {
      const limit = Math.min(PAGE, until - after)
      const page = await statements.list(db.pooled, { afterSequence: after, limit })
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last.sequence
    }
  }

  return {
    getHead,
    pages,
    /** The records after a sequence, in the order of the chain. */
    list: statements.list,
    /** Appends to the chain. It locks the chain's end until the commit, so it is the last statement of a transaction. */
    async append(db: Queryable, record: LogRecord<Subject>): Promise<void> {
      await statements.append(db, {
        subject: record[subject],
        kind: record.kind,
        record: JSON.stringify(record),
      })
    },
    /** Verifies the log, up to its end now. @param kept heads that were kept from earlier, which it must contain */
    async verify(db: Db, kept: readonly Head[]): Promise<Verification> {
      const { sequence, hash, newest } = await getHead(db.pooled)
      if (newest !== sequence)
        return { ok: false, fault: `the newest record is ${newest}, but the head names ${sequence}` }
      const verifier = createChainVerifier(kept)
      for await (const page of pages(db, sequence))
        for (const link of page) {
          const fault = verifier.check(link)
          if (fault !== null) return { ok: false, fault }
          const record = fieldsOf(link.record)
          if (record[subject] !== link.subject || record['kind'] !== link.kind)
            return { ok: false, fault: `record ${link.sequence} is stored under another ${subject} or kind` }
        }
      return verifier.end({ sequence, hash })
    },
    /** Checks whether the database role of this connection could change or delete records. */
    isRewritable: async (db: Queryable): Promise<boolean> =>
      (await statements.isRewritable(db))?.rewritable ?? true,
  }
}
