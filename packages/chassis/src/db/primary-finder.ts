import pg from 'pg'
import type { Server } from '../settings/server-list.ts'
import { isPasswordRefused } from './faults.ts'

/** State that a server reports. A standby has no timeline: null. */
type Seen = Readonly<{ server: Server; timeline: number | null }>

/** The timeline is in the name of the file that is written now; each promotion begins a new one. */
const TIMELINE = `
  SELECT CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`

const look = async (config: pg.ClientConfig, server: Server, password: string): Promise<Seen> => {
  const client = Object.assign(new pg.Client(config), server, password === '' ? {} : { password })
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

/** Where a client connects to, and with which password. */
export type Address = Server & Readonly<{ password: string }>

/** Finds the server that takes writes, and keeps it until `forget`. */
export type PrimaryFinder = Readonly<{
  find: () => Promise<Address>
  /** @param used the password with which the attempt failed */
  forget: (error: unknown, used: string | undefined) => void
}>

type FinderOptions = Readonly<{
  servers: readonly [Server, ...Server[]]
  /** Those that the server may accept, now. More than one while the password is being replaced. */
  passwords: () => readonly [string, ...string[]]
}>

/** The password that the server accepts: the next one after it has refused one. */
const createPasswordChoice = (passwords: FinderOptions['passwords']) => {
  let refused: string | undefined
  return {
    current: (): string => passwords().find((each) => each !== refused) ?? passwords()[0],
    refuse: (used: string | undefined) => {
      refused = used
    },
  }
}

/**
 * Checks all servers concurrently. If two accept writes, as when the former primary restarts by mistake after a failover,
 * the one with the later timeline is used: only that one was promoted.
 *
 * @throws Error that says for each server why it is not used
 */
export const createPrimaryFinder = (
  { servers, passwords }: FinderOptions,
  config: pg.ClientConfig,
): PrimaryFinder => {
  const choice = createPasswordChoice(passwords)
  let found: Promise<Server> | null = null

  const findPrimary = async (): Promise<Server> => {
    const password = choice.current()
    const looks = await Promise.allSettled(servers.map((server) => look(config, server, password)))
    const seen = looks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const primaries = seen
      .filter(({ timeline }) => timeline !== null)
      .sort((a, b) => (b.timeline ?? 0) - (a.timeline ?? 0))
    if (primaries[0] !== undefined) return primaries[0].server
    const refusal = looks.find((one) => one.status === 'rejected' && isPasswordRefused(one.reason))
    if (refusal?.status === 'rejected') {
      choice.refuse(password)
      throw refusal.reason
    }
    const reasons = looks.map((one, index) => {
      const server = servers[index] ?? servers[0]
      return `${labelOf(server)}: ${one.status === 'fulfilled' ? 'a standby' : String(one.reason)}`
    })
    throw new Error(`No server of the database accepts writes (${reasons.join('; ')})`)
  }
  const findServer = (): Promise<Server> => {
    if (servers.length === 1) return Promise.resolve(servers[0])
    const looking = (found ??= findPrimary())
    looking.catch(() => {
      if (found === looking) found = null
    })
    return looking
  }
  return {
    find: async () => ({ ...(await findServer()), password: choice.current() }),
    forget(error, used) {
      found = null
      if (isPasswordRefused(error)) choice.refuse(used)
    },
  }
}
