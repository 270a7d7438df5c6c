import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

/** One staff action as it is stored. */
const AuditRow = z.object({
  entry_id: z.string(),
  at: z.date(),
  actor: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

const insert = statement({
  name: 'audit.insert',
  text: `
    INSERT INTO audit_entries (entry_id, at, actor, action, target, after, request_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
})
const finish = statement({
  name: 'audit.finish',
  text: `
    UPDATE audit_entries SET target = coalesce($2, target), before = $3, after = $4
    WHERE request_id = $1`,
})
const list = statement({
  name: 'audit.list',
  text: `
    SELECT entry_id, at, actor, action, target, before, after, request_id FROM audit_entries
    WHERE (at, entry_id) > ($1, $2)
    ORDER BY at, entry_id LIMIT $3`,
  row: AuditRow,
})

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** The audit log of staff actions (decisions §14). Entries are written and finished, never removed. */
export const auditStore = {
  insert: (db: Queryable, row: Omit<AuditRow, 'before'>) =>
    db.query(insert, [
      row.entry_id,
      row.at,
      row.actor,
      row.action,
      row.target,
      jsonOrNull(row.after),
      row.request_id,
    ]),
  /** Tells what came of an action; a `target` of null leaves the one given at first. */
  finish: (
    db: Queryable,
    requestId: string,
    outcome: Readonly<{ target: string | null; before: unknown; after: unknown }>,
  ) => db.query(finish, [requestId, outcome.target, jsonOrNull(outcome.before), jsonOrNull(outcome.after)]),
  /** Oldest first, after a position in (at, entry_id). */
  list: (db: Queryable, after: Readonly<{ at: Date | string; entryId: string }>, limit: number) =>
    db.query(list, [after.at, after.entryId, limit]),
}
