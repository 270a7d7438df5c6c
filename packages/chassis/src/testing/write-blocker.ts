import pg from 'pg'
import { eventually } from './eventually.ts'

const KEY = 4_711

/**
 * Blocks every write to a table at its beginning, as long as the test wants: a process can be killed exactly between the
 * steps before the write and after it.
 */
export type WriteBlocker = Readonly<{
  /** From now on writes of other connections wait. */
  begin: () => Promise<void>
  /** Resolves when a write waits. */
  reached: () => Promise<void>
  /** Lets the waiting write commit, although its sender may have ended. */
  release: () => Promise<void>
  /** Cancels the waiting write, which then has no effect. */
  breakOff: () => Promise<void>
  /** Runs outside the blocker. */
  sql: (text: string, values?: unknown[]) => Promise<void>
  close: () => Promise<void>
}>

/** Puts the trigger in place. The wait has no timeout, so that it does not end before a slow test. @param table with its schema */
export const createWriteBlocker = async (databaseUrl: string, table: string): Promise<WriteBlocker> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    CREATE FUNCTION block_writes() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(${KEY});
      RETURN NULL;
    END $$;
    CREATE TRIGGER block_writes BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION block_writes()`)
  const waiting = async () => {
    const { rows } = await client.query<{ pid: number }>(`
      SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    return rows.map((row) => row.pid)
  }
  const release = async () => {
    await client.query('SELECT pg_advisory_unlock($1)', [KEY])
  }
  return {
    async begin() {
      await client.query('SELECT pg_advisory_lock($1)', [KEY])
    },
    async reached() {
      await eventually(async () => (await waiting()).length > 0)
    },
    release,
    async breakOff() {
      await client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [
        await waiting(),
      ])
      await eventually(async () => (await waiting()).length === 0)
      await release()
    },
    async sql(text, values = []) {
      await client.query(text, values)
    },
    async close() {
      await client.end()
    },
  }
}
