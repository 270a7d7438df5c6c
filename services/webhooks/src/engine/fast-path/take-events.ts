import type { EngineDependencies } from '../dependencies.ts'
import { RETRY_LIMIT_MS, retryTransient } from '../record/retry.ts'
import type { EventCopy, TakenEvent } from './fan-out.ts'
import { FirstAttemptSender } from './send-first-attempts.ts'
import { upsertRelationships } from '../../relationships/store.ts'
import { findSettledEvents } from './store.ts'

/** The stream redelivers an event after 30 s at the earliest; an older one may have been handled before. */
const SURELY_NEW_MS = 20_000
/** For the same reason, an attempt that has not begun so long after its event came, as after a stall, becomes a row. */
const START_WITHIN_MS = SURELY_NEW_MS
/** After a reconnect the bus may have lost acknowledgements, and events that are then published again. */
const VERIFIED_MS = 60_000
const REMEMBERED = 20_000

/**
 * Takes batches of events from the stream and decides which of them are new: those are sent immediately, the others
 * are looked up first. First attempts go out from memory; then one batched statement records events, deliveries and
 * outcomes. A crash before the acknowledgement sends again, with the same `event_id`.
 */
export class FastPath {
  readonly #dependencies: EngineDependencies
  readonly #sender: FirstAttemptSender
  readonly #recentIds = new RecentIds(REMEMBERED)
  /** The batches under way: the stream may give an event twice, and the second waits for the first. */
  readonly #sending = new Set<Promise<unknown>>()
  #verifyUntilMs = 0

  constructor(dependencies: EngineDependencies) {
    this.#dependencies = dependencies
    this.#sender = new FirstAttemptSender(dependencies)
  }

  /**
   * Resolves once everything about these events is committed. The destinations are read after the events have come,
   * so that one whose creation was answered before an event happened gets it, whichever replica the event comes to.
   * What is under way is held by its own attempt or record, not by its batch.
   */
  accept(events: readonly TakenEvent[]): Promise<void> {
    const { clock, registry } = this.#dependencies
    const startBeforeMs = clock.nowMs() + START_WITHIN_MS
    const refreshed = retryTransient(() => registry.refresh(), RETRY_LIMIT_MS)
    return this.#recordRelationships(events)
      .then(() => refreshed)
      .then(() => this.#take(events, startBeforeMs))
  }

  /** In the order of the stream: what a revocation stops is stopped before later events are sent. */
  async #recordRelationships(events: readonly TakenEvent[]): Promise<void> {
    const states = events.flatMap(({ relationship }) => (relationship === null ? [] : [relationship]))
    if (states.length === 0) return
    await retryTransient(
      () =>
        upsertRelationships(this.#dependencies.db, {
          ids: states.map((state) => state.partner_customer_id),
          revoked: states.map((state) => state.status === 'revoked'),
          versions: states.map((state) => state.version),
        }),
      RETRY_LIMIT_MS,
    )
  }

  /** After the bus was away: for a while every event is looked up before it is sent. */
  verifyAfterReconnect(): void {
    this.#verifyUntilMs = performance.now() + VERIFIED_MS
  }

  /** After the stream has stopped: resolves when no attempt of this path is under way any more. */
  stop(): Promise<void> {
    return this.#sender.stop()
  }

  #take(events: readonly TakenEvent[], startBeforeMs: number): Promise<void> {
    const isVerifying = performance.now() <= this.#verifyUntilMs
    const oldestMs = isVerifying ? Infinity : this.#dependencies.clock.nowMs() - SURELY_NEW_MS
    const [fresh, older, repeated]: [EventCopy[], EventCopy[], EventCopy[]] = [[], [], []]
    for (const { id, copies } of events) {
      const isFirst = this.#recentIds.add(id)
      for (const copy of copies)
        if (!isFirst) repeated.push(copy)
        else if (copy.createdMs > oldestMs) fresh.push(copy)
        else older.push(copy)
    }
    const sent = this.#sendAll(fresh, startBeforeMs)
    if (older.length === 0 && repeated.length === 0) return sent
    const verified = this.#sendUnrecorded(older, startBeforeMs)
    const resent = this.#sendRepeated(repeated, verified, startBeforeMs)
    return Promise.all([sent, verified, resent]).then(() => undefined)
  }

  #sendAll(copies: readonly EventCopy[], startBeforeMs: number): Promise<void> {
    const sent = this.#sender.sendAll(copies, startBeforeMs)
    this.#sending.add(sent)
    return sent.finally(() => this.#sending.delete(sent))
  }

  /** Sends repeated events: an earlier copy may be in flight, and only after that it is known whether it was recorded. */
  async #sendRepeated(
    copies: readonly EventCopy[],
    before: Promise<void>,
    startBeforeMs: number,
  ): Promise<void> {
    if (copies.length === 0) return
    await Promise.allSettled([before, ...this.#sending])
    await this.#sendUnrecorded(copies, startBeforeMs)
  }

  /** Leaves out what is recorded, so that an event that the stream redelivers is not sent again, and what is stopped. */
  async #sendUnrecorded(copies: readonly EventCopy[], startBeforeMs: number): Promise<void> {
    if (copies.length === 0) return
    const settled = await findSettledEvents(this.#dependencies.db, {
      ownerIds: copies.map((copy) => copy.ownerId),
      eventIds: copies.map((copy) => copy.eventId),
      partnerCustomerIds: copies.map((copy) => copy.partnerCustomerId),
    })
    const keys = new Set(settled.map(keyOf))
    const missing = copies.filter((copy) => !keys.has(keyOf(copy)))
    await this.#sendAll(missing, startBeforeMs)
  }
}

const keyOf = ({ ownerId, eventId }: Readonly<{ ownerId: string; eventId: string }>): string =>
  `${ownerId} ${eventId}`

/** Remembers at least the last `size` ids, and at most twice as many. */
class RecentIds {
  #current = new Set<string>()
  #previous = new Set<string>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  /** @returns whether the id was not remembered */
  add(id: string): boolean {
    if (this.#current.has(id) || this.#previous.has(id)) return false
    this.#current.add(id)
    if (this.#current.size >= this.#size) {
      this.#previous = this.#current
      this.#current = new Set()
    }
    return true
  }
}
