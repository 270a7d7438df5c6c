import type { Bus, Db, Logger, Transaction } from '@causeway/chassis'
import { CLIENTS_CHANGED_SUBJECT } from '@causeway/contracts'
import { getRevision, nextRevision } from './store.ts'

/** Longest time until a change is read when the nudge on the bus is lost. */
const POLL_MS = 500

/** Notifies every replica of access of changes of partners, clients, signing keys, merchants' keys and staff keys. */
export type ChangeFeed = Readonly<{
  /**
   * Makes a change in a new transaction, under the next revision and with the lock that serialises all changes; then
   * notifies the replicas, as `changed` does.
   */
  transaction<T>(work: (tx: Transaction, revision: number) => Promise<T>): Promise<T>
  /**
   * To be called after the commit of a change: this replica's listeners run before the call is answered, the others are
   * notified. Never fails, because the change is committed; the poll finds a change that was missed here.
   */
  changed(): Promise<void>
  onChange(listener: () => void | Promise<void>): void
  /** Starts to listen: every change that is committed after this reaches the listeners. */
  start(): Promise<void>
  stop(): Promise<void>
}>

type Listener = Parameters<ChangeFeed['onChange']>[0]

export const createChangeFeed = (context: Readonly<{ db: Db; bus: Bus; log: Logger }>): ChangeFeed => {
  const { db, bus, log } = context
  const listeners: Listener[] = []
  let seenRevision = 0
  let reading: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let nudges: { unsubscribe: () => void } | null = null

  const readChanges = async () => {
    const revision = await getRevision(db)
    if (revision === seenRevision) return
    for (const listener of listeners) await listener()
    seenRevision = revision
  }
  // A read in progress may have started before the change: it is followed by another.
  const refresh = async () => {
    await reading?.catch(() => undefined)
    reading ??= readChanges().finally(() => {
      reading = null
    })
    await reading
  }
  const refreshNow = () =>
    refresh().catch((error: unknown) =>
      log.warn({ event: 'change_feed.read_failed', error }, 'The changes of clients and keys were not read'),
    )
  const poll = () => {
    void refreshNow().finally(() => {
      if (timer !== null) timer = setTimeout(poll, POLL_MS)
    })
  }
  const changed = async () => {
    bus.nudge(CLIENTS_CHANGED_SUBJECT)
    await refreshNow()
  }

  return {
    async transaction(work) {
      const outcome = await db.transaction(async (tx) => work(tx, await nextRevision(tx)))
      await changed()
      return outcome
    },
    changed,
    onChange: (listener) => listeners.push(listener),
    async start() {
      seenRevision = await getRevision(db)
      timer = setTimeout(poll, POLL_MS)
      nudges = bus.onNudge(CLIENTS_CHANGED_SUBJECT, () => void refreshNow())
    },
    async stop() {
      nudges?.unsubscribe()
      if (timer !== null) clearTimeout(timer)
      timer = null
      await reading?.catch(() => undefined)
    },
  }
}
