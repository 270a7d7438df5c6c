import { nudgeSubject } from '@causeway/contracts'
import { randomUUID } from 'node:crypto'
import { isAbsent } from '../bus/stream.ts'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { createClaimStart } from './claim-start.ts'
import { continueSequences } from './continue-sequences.ts'
import { createClaims, PUBLISH_BATCH, publishBatch, type RelayContext } from './publish.ts'
import { republishLost } from './republish-lost.ts'
import { startOutboxRetention } from './retention.ts'
import * as store from './store.ts'

const POLL_MS = 1_000
const REST_MS = 5
const LOOK_AT_ORIGIN_EVERY_MS = 5_000

type RelayOptions = Omit<RelayContext, 'holder'> & Readonly<{ log: Logger }>

/**
 * Moves a service's outbox to the stream: batches in order, `Nats-Msg-Id` = event id, subject
 * `events.<service>.<name>`. Woken by a nudge after a commit, with a slow poll behind it. One replica relays at a
 * time (a lease in the database); an overlap is harmless, because the stream and every consumer remove duplicates.
 * After every reconnect it checks that the stream still has what it acknowledged.
 */
export const startRelay = (options: RelayOptions): { stop: () => Promise<void> } => {
  const { service, db, bus, log } = options
  const context: RelayContext = { ...options, holder: randomUUID() }
  const start = createClaimStart()
  const claim = createClaims(context, start)
  let isCompared = false
  let originSeenAtMs = Number.NEGATIVE_INFINITY

  const loop = startLoop({
    name: 'outbox-relay',
    everyMs: POLL_MS,
    restMs: REST_MS,
    // Commits wake the relay also while the bus is down: it must not try again at each.
    retryMs: POLL_MS,
    isExpected: isAbsent,
    log,
    async run(signal) {
      if (performance.now() - originSeenAtMs > LOOK_AT_ORIGIN_EVERY_MS) {
        await continueSequences(context, log)
        originSeenAtMs = performance.now()
      }
      if (!isCompared) {
        await republishLost(context, log)
        start.reset()
      }
      isCompared = true
      while (!signal.aborted && (await publishBatch(context, claim, start)) === PUBLISH_BATCH);
    },
  })
  const retention = startOutboxRetention(options)
  const subscription = bus.onNudge(nudgeSubject(service), loop.wake)
  const forgetListener = bus.onReconnected(() => {
    isCompared = false
    loop.wake()
  })
  db.onEmitted(() => {
    loop.wake()
    bus.nudge(nudgeSubject(service))
  })

  return {
    async stop() {
      subscription.unsubscribe()
      forgetListener()
      await loop.stop()
      await retention.stop()
      await store.releaseRelay(db, { holder: context.holder }).catch((error: unknown) => {
        log.warn(
          { event: 'outbox.lease_kept', error },
          'The relay lease could not be released; it ends on its own',
        )
      })
    },
  }
}
