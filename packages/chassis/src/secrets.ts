import type { BusKey } from './settings/values.ts'
import type { LiveBusKeys } from './bus/keys.ts'
import type { Bus } from './bus/connect.ts'
import type { Logger } from './log.ts'
import { startLoop } from './loop.ts'

/** Secrets that a process learns anew while it runs. */
export type Secrets = Readonly<{
  /** Left out by a process without a database. */
  databaseUrl?: string
  natsUrl: string
  busKeys: readonly BusKey[]
}>

/** How often their files are read again. `deploy/rotate.sh` waits several times as long. */
const REREAD_MS = 5_000

/** The secrets of a process as they are now. */
export const createSecrets = (
  first: Secrets,
  reread: (() => Secrets) | undefined,
): Readonly<{ current: () => Secrets; reread: () => Secrets }> => {
  let current = first
  return {
    current: () => current,
    reread() {
      if (reread !== undefined) current = reread()
      return current
    },
  }
}

const textOf = (keys: readonly BusKey[]): string =>
  keys.map(({ sender, receiver, key }) => `${sender}>${receiver}=${key.toString('base64')}`).join()

type Following = Readonly<{
  secrets: ReturnType<typeof createSecrets>
  bus: Pick<Bus, 'switchTo'>
  busKeys: LiveBusKeys
  log: Logger
  everyMs?: number
}>

/**
 * Reads the files of secrets every few seconds and applies changes: keys of the bus immediately, a new NATS user with new
 * connections next to the former ones, database passwords for new connections. A file that is invalid changes nothing and is
 * logged (`job.failed` with `job` `secrets`).
 */
export const followSecrets = ({ secrets, bus, busKeys, log, everyMs = REREAD_MS }: Following) => {
  const { busKeys: firstKeys, natsUrl: firstUrl } = secrets.current()
  const used = { busKeys: textOf(firstKeys), natsUrl: firstUrl }
  return startLoop({
    name: 'secrets',
    everyMs,
    restMs: 0,
    log,
    run: async () => {
      const before = secrets.current()
      const { databaseUrl, natsUrl, busKeys: keys } = secrets.reread()
      if (databaseUrl !== before.databaseUrl) logReplaced(log, 'database_url')
      if (textOf(keys) !== used.busKeys) {
        busKeys.replace(keys)
        used.busKeys = textOf(keys)
        logReplaced(log, 'bus_keys')
      }
      if (natsUrl !== used.natsUrl) {
        await bus.switchTo(natsUrl)
        used.natsUrl = natsUrl
        logReplaced(log, 'nats_url')
      }
    },
  })
}

const logReplaced = (log: Logger, secret: string): void =>
  log.info({ event: 'secrets.replaced', secret }, 'A secret was replaced; the new value is in use')
