import type { Bus, Db, Logger } from '@causeway/chassis'
import { CLIENTS_CHANGED_SUBJECT } from '@causeway/contracts'
import { registryStore } from './store.ts'

/** How long a change may go unseen when the nudge on the bus is lost. */
const POLL_MS = 500

/** What changed: clients by their ids, and revoked keys of merchants and staff by their keyed hashes. */
export type Change = Readonly<{ clientIds: readonly string[]; keyMacs: readonly string[] }>

/** Follows the changes of partners, clients, signing keys, merchants' and staff keys that any replica makes. */
export type Registry = Readonly<{
  /**
   * After a committed change of one's own: this replica acts on it before the call is answered, and the others are
   * told. Never fails, for the change is done; what is missed here the poll finds.
   */
  changed(): Promise<void>
  onChange(listener: (change: Change) => void | Promise<void>): void
  /** Begins to follow; what is read after this is followed by every later change. */
  start(): Promise<void>
  stop(): Promise<void>
}>

type Listener = Parameters<Registry['onChange']>[0]

export const createRegistry = (context: Readonly<{ db: Db; bus: Bus; log: Logger }>): Registry => {
  const { db, bus, log } = context
  const listeners: Listener[] = []
  let seen = 0
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let nudges: { unsubscribe: () => void } | null = null

  const look = async () => {
    const revision = await registryStore.read(db)
    if (revision === seen) return
    const [clientIds, keyMacs] = await Promise.all([
      registryStore.clientsChanged(db, seen),
      registryStore.keysRevoked(db, seen),
    ])
    for (const listener of listeners) await listener({ clientIds, keyMacs })
    seen = revision
  }
  // A look that began before a change may miss it: whoever asks during one gets another after it.
  const refresh = async () => {
    await looking?.catch(() => undefined)
    looking ??= look().finally(() => {
      looking = null
    })
    await looking
  }
  const lookNow = () =>
    refresh().catch((error: unknown) => log.warn({ error }, 'Changes of clients could not be read'))
  const poll = () => {
    void lookNow().finally(() => {
      if (timer !== null) timer = setTimeout(poll, POLL_MS)
    })
  }

  return {
    async changed() {
      bus.nudge(CLIENTS_CHANGED_SUBJECT)
      await lookNow()
    },
    onChange: (listener) => listeners.push(listener),
    async start() {
      seen = await registryStore.read(db)
      timer = setTimeout(poll, POLL_MS)
      nudges = bus.onNudge(CLIENTS_CHANGED_SUBJECT, () => void lookNow())
    },
    async stop() {
      nudges?.unsubscribe()
      if (timer !== null) clearTimeout(timer)
      timer = null
      await looking?.catch(() => undefined)
    },
  }
}
