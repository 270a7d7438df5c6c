import type { Bus, Logger } from '@causeway/chassis'
import { CLIENTS_CHANGED_SUBJECT } from '@causeway/contracts'
import type { AccessClient } from '../clients/access.ts'

/** Longest time until a change is read when the nudge on the bus is lost. */
const POLL_MS = 500

/** Changed clients by id, and revoked keys of merchants and staff by keyed hash; null: perhaps all. */
export type Change = readonly string[] | null

type Options = Readonly<{ access: Pick<AccessClient, 'listChanges'>; bus: Bus; log: Logger }>

/**
 * Follows the changes of credentials in access: what is cached of a client or key ends on this replica within a second
 * of its change. While access is unavailable nothing changes there, and what is cached stays valid.
 */
export const createChanges = ({ access, bus, log }: Options) => {
  const listeners: ((change: Change) => void)[] = []
  let seenRevision: number | null = null
  let reading: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let nudges: { unsubscribe: () => void } | null = null
  let isReported = false

  const read = async () => {
    const { revision, client_ids, key_macs } = await access.listChanges(seenRevision)
    isReported = false
    if (revision === seenRevision) return
    // What was cached before the first revision was known may have changed since.
    const change = seenRevision === null ? null : [...client_ids, ...key_macs]
    seenRevision = revision
    for (const listener of listeners) listener(change)
  }
  // A read in progress may have started before the change: it is followed by another.
  const refresh = async (): Promise<void> => {
    await reading
    reading ??= read()
      .catch((error: unknown) => {
        if (!isReported)
          log.warn(
            { event: 'change_feed.read_failed', error },
            'The changes of clients and keys were not read',
          )
        isReported = true
      })
      .finally(() => {
        reading = null
      })
    await reading
  }
  const poll = () => {
    void refresh().finally(() => {
      if (timer !== null) timer = setTimeout(poll, POLL_MS)
    })
  }
  return {
    onChange: (listener: (change: Change) => void) => listeners.push(listener),
    /** Reads the changes now. Never fails: the poll repeats it. */
    refresh,
    async start() {
      nudges = bus.onNudge(CLIENTS_CHANGED_SUBJECT, () => void refresh())
      await refresh()
      timer = setTimeout(poll, POLL_MS)
    },
    async stop() {
      nudges?.unsubscribe()
      if (timer !== null) clearTimeout(timer)
      timer = null
      await reading
    },
  }
}

export type Changes = ReturnType<typeof createChanges>
