import pg from 'pg'
import type { Server } from '../settings/server-list.ts'

/** What a server says of itself. A standby has no timeline of its own: null. */
type Seen = Readonly<{ server: Server; timeline: number | null }>

/** The timeline is in the name of the file that is written now; each promotion begins a new one. */
const TIMELINE = `
  SELECT CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`

const look = async (config: pg.ClientConfig, server: Server): Promise<Seen> => {
  const client = Object.assign(new pg.Client(config), server)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(TIMELINE)
    return { server, timeline: rows[0]?.timeline ?? null }
  } finally {
    await client.end()
  }
}

const labelOf = ({ host, port }: Server): string => `${host}:${port}`

/** Finds the server that takes writes, and keeps it until `forget`. */
export type PrimaryFinder = Readonly<{ find: () => Promise<Server>; forget: () => void }>

/**
 * Looks at all servers at once. Of two that take writes, as after a failover from which the former primary came back by
 * mistake, the one with the later timeline is used: only that one was promoted.
 *
 * @throws Error that says of each server why it is not used
 */
export const createPrimaryFinder = (
  servers: readonly [Server, ...Server[]],
  config: pg.ClientConfig,
): PrimaryFinder => {
  if (servers.length === 1) return { find: () => Promise.resolve(servers[0]), forget: () => undefined }
  let found: Promise<Server> | null = null

  const find = async (): Promise<Server> => {
    const looks = await Promise.allSettled(servers.map((server) => look(config, server)))
    const seen = looks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const primaries = seen
      .filter(({ timeline }) => timeline !== null)
      .sort((a, b) => (b.timeline ?? 0) - (a.timeline ?? 0))
    if (primaries[0] !== undefined) return primaries[0].server
    const reasons = looks.map((one, index) => {
      const server = servers[index] ?? servers[0]
      return `${labelOf(server)}: ${one.status === 'fulfilled' ? 'a standby' : String(one.reason)}`
    })
    throw new Error(`No server of the database takes writes (${reasons.join('; ')})`)
  }
  const finder = {
    find() {
      const looking = (found ??= find())
      looking.catch(() => {
        if (found === looking) found = null
      })
      return looking
    },
    forget() {
      found = null
    },
  }
  return finder
}
