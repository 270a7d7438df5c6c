import pg from 'pg'
import type { Tables } from '../columns.ts'

const IN_TRANSIT = 'Deleted after 7 days (EVENT_RETENTION_MS)'

/** The tables that the chassis adds to the database of every service. */
const CHASSIS_TABLES: Tables = {
  idempotency_keys: {
    personal: { reply_json: { keptBecause: IN_TRANSIT } },
    plain: 'partner_id operation key fingerprint request_id variant created_at lease_until recorded',
  },
  inbox: { plain: 'consumer event_id received_at' },
  key_ring: { plain: 'key_id purpose state created_at' },
  ledger_facts: { plain: 'fact_id seq fact' },
  migrations: { plain: 'id name run_on' },
  migrations_chassis: { plain: 'id name run_on' },
  outbox_events: {
    personal: { payload: { keptBecause: IN_TRANSIT } },
    plain: 'seq event_id subject traceparent created_at published_at stream_seq',
  },
  outbox_origin: { plain: 'only_row history written_by' },
  outbox_published: { plain: 'batch published_at last_stream_seq seqs advances' },
  outbox_relay: { plain: 'only_row holder lease_until stream_created stream_seq stream_id' },
  outbox_unpublished: { plain: 'seq' },
  parked_events: {
    personal: { payload: { keptBecause: 'Until staff retry the event or set it aside' } },
    plain: 'consumer event_id subject error parked_at retried_at set_aside_at note',
  },
  wrapped_keys: { plain: 'key_id wrapping_key wrapped generation' },
}

/** Reads every column of a database, as `table.column`. Partitions and views repeat the columns of their tables. */
const listColumns = async (databaseUrl: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname || '.' || a.attname AS name
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY 1`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

const classified = (tables: Tables) =>
  Object.entries(tables).flatMap(([table, { personal = {}, secret = {}, plain }]) =>
    [
      ...Object.entries(personal).map(([column, { sealed }]) => ({ column, isSealed: sealed !== undefined })),
      ...Object.keys(secret).map((column) => ({ column, isSealed: true })),
      ...plain.split(' ').map((column) => ({ column, isSealed: false })),
    ].map(({ column, isSealed }) => ({ name: `${table}.${column}`, isSealed })),
  )

/** Compares the columns that a service classifies with those of its database. @returns a sentence for each fault */
export const findColumnFaults = async (tables: Tables, databaseUrl: string): Promise<string[]> => {
  const declared = classified({ ...CHASSIS_TABLES, ...tables })
  const existing = await listColumns(databaseUrl)
  const names = declared.map(({ name }) => name)
  const faults = [
    ...existing
      .filter((name) => !names.includes(name))
      .map(
        (name) =>
          `${name} is not classified. If it says something about a person, add it to "personal" of its table, with its ` +
          'export and erasure; an encrypted value of another kind to "secret"; anything else to "plain".',
      ),
    ...names
      .filter((name) => !existing.includes(name))
      .map((name) => `${name} is classified, but the database does not have it. Remove it.`),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `${name} is classified twice. Keep one.`),
    ...declared
      .filter(({ name, isSealed }) => name.endsWith('_sealed') !== isSealed)
      .map(({ name }) => `${name}: the name of an encrypted column, and no other, ends with "_sealed".`),
  ]
  return faults
}
