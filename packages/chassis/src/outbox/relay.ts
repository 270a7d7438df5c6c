import { EVENT_RETENTION_MS, nudgeSubject } from '@causeway/contracts'
import { randomUUID } from 'node:crypto'
import { isAbsent } from '../bus/stream.ts'
import type { Logger } from '../log.ts'
import { PUBLISH_BATCH, publishBatch, type RelayContext } from './publish.ts'
import { republishLost } from './republish-lost.ts'
import * as store from './store.ts'
import { createWaker } from './waker.ts'

const POLL_MS = 1_000
const REST_MS = 5
const CLEANUP_EVERY_MS = 10 * 60_000
const CLEANUP_BATCH = 5_000

type RelayOptions = Omit<RelayContext, 'holder'> & Readonly<{ log: Logger }>

/** Deletes published rows past their retention, every ten minutes, a bounded number a statement. */
const createCleanup = ({ db, clock }: Pick<RelayContext, 'db' | 'clock'>) => {
  let cleanedAtMs = clock.nowMs()
  return async () => {
    if (clock.nowMs() - cleanedAtMs < CLEANUP_EVERY_MS) return
    cleanedAtMs = clock.nowMs()
    const before = new Date(clock.nowMs() - EVENT_RETENTION_MS)
    while ((await store.deleteExpired(db, { before, limit: CLEANUP_BATCH })).length === CLEANUP_BATCH);
  }
}

/**
 * Moves a service's outbox to the stream: batches in order, `Nats-Msg-Id` = event id, subject
 * `events.<service>.<name>`. Woken by a nudge after a commit, with a slow poll behind it. One replica relays at a
 * time (a lease in the database); one that overlaps does no harm, for the stream and every consumer remove
 * duplicates. After every reconnect the stream is asked whether it still has what it acknowledged.
 */
export const startRelay = (options: RelayOptions): { stop: () => Promise<void> } => {
  const { service, db, bus, log } = options
  const context: RelayContext = { ...options, holder: randomUUID() }
  const waker = createWaker()
  const cleanUp = createCleanup(options)
  const state = { stopped: false, comparedWithStream: false }

  const subscription = bus.onNudge(nudgeSubject(service), waker.wake)
  const forgetListener = bus.onReconnected(() => {
    state.comparedWithStream = false
    waker.wake()
  })
  db.onEmitted(() => {
    waker.wake()
    bus.nudge(nudgeSubject(service))
  })

  const round = async () => {
    if (!state.comparedWithStream) await republishLost(context, log)
    state.comparedWithStream = true
    while (!state.stopped && (await publishBatch(context)) === PUBLISH_BATCH);
    await cleanUp()
  }
  const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS))
  const loop = async () => {
    while (!state.stopped) {
      waker.reset()
      try {
        await round()
      } catch (error) {
        log[isAbsent(error) ? 'info' : 'warn'](
          { error },
          'Events could not be relayed; the relay tries again',
        )
        waker.reset()
      }
      await rest()
      await waker.sleep(POLL_MS)
    }
  }
  const running = loop()

  return {
    async stop() {
      state.stopped = true
      subscription.unsubscribe()
      forgetListener()
      waker.wake()
      await running
      await store.releaseRelay(db, { holder: context.holder }).catch((error: unknown) => {
        log.warn({ error }, 'The relay lease stays until it ends')
      })
    },
  }
}
