import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const LOOK_EVERY_MS = 50
const COUNT = `
  SELECT count(*) FILTER (WHERE state <> 'idle')::int AS busy,
    count(*) FILTER (WHERE state LIKE 'idle in transaction%')::int AS held
  FROM pg_stat_activity WHERE application_name = $1`

/** Means over all samples; `held`: idle in a transaction; `busy`: those and the active ones. */
export type HeldConnections = Readonly<{ busy: number; held: number }>

/**
 * Samples a program's connections to PostgreSQL while work is done. @param application its name in the server's views
 */
export const watchConnections = async <T>(
  adminUrl: string,
  application: string,
  work: () => Promise<T>,
): Promise<{ value: T; connections: HeldConnections }> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const looks: HeldConnections[] = []
  const ending = new AbortController()
  const looking = (async () => {
    while (!ending.signal.aborted) {
      looks.push(...(await client.query<HeldConnections>(COUNT, [application])).rows)
      await delay(LOOK_EVERY_MS)
    }
  })()
  try {
    const value = await work()
    ending.abort()
    await looking
    const mean = (of: (look: HeldConnections) => number) =>
      looks.reduce((sum, look) => sum + of(look), 0) / Math.max(looks.length, 1)
    return { value, connections: { busy: mean(({ busy }) => busy), held: mean(({ held }) => held) } }
  } finally {
    ending.abort()
    await looking
    await client.end()
  }
}
