import type { ServiceName } from '@causeway/contracts'
import type { Bus } from '../bus/connect.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import { metrics } from '../metrics.ts'
import type { ClaimStart } from './claim-start.ts'
import * as store from './store.ts'

/** Most rows of one claim. */
export const PUBLISH_BATCH = 256
const LEASE_MS = 5_000

const published = metrics.counter('causeway_outbox_published_total', 'Events relayed to the stream')

/** Dependencies of a relay; `holder` names this replica in the lease. */
export type RelayContext = Readonly<{ service: ServiceName; db: Db; bus: Bus; clock: Clock; holder: string }>

/**
 * Claims from the beginning at least so far apart, and at most for a fiftieth of the time: while somebody holds a
 * snapshot, such a claim reads every row that was published meanwhile.
 */
const FROM_BEGINNING_EVERY_MS = 1_000
const FROM_BEGINNING_SHARE = 50
const OBSERVE_EVERY_MS = 100
/** After rows were published: the first sees the transactions of that moment, the second that they are over. */
const OBSERVATIONS = 2

/**
 * The text of an event as it is published: with its sequence, which the database has given it under the locks of its
 * transaction. It is part of the text, not a header, so that a parked event keeps it.
 */
export const publishedText = ({ seq, payload }: Readonly<{ seq: number; payload: string }>): string =>
  `{"sequence":${seq},${payload.slice(1)}`

/** Reads unpublished rows: as a rule after those that are published, and from time to time all of them. */
export const createClaims = ({ db, clock, holder }: RelayContext, start: ClaimStart) => {
  let fromBeginningAtMs = 0
  let observeAtMs = 0
  let unobserved = OBSERVATIONS
  return async (): Promise<Awaited<ReturnType<typeof store.claimUnpublished>>> => {
    const begunMs = performance.now()
    const isFromBeginning = begunMs >= fromBeginningAtMs
    if (unobserved > 0 && begunMs >= observeAtMs) {
      const observed = await store.observeTransactions(db)
      unobserved -= 1
      if (observed !== null) start.observe(observed)
      observeAtMs = performance.now() + OBSERVE_EVERY_MS
    }
    const now = clock.now()
    const rows = await store.claimUnpublished(db, {
      holder,
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      afterSeq: isFromBeginning ? 0 : start.afterSeq(),
      limit: PUBLISH_BATCH,
    })
    if (rows.length > 0) unobserved = OBSERVATIONS
    const endedMs = performance.now()
    if (isFromBeginning)
      fromBeginningAtMs =
        endedMs + Math.max(FROM_BEGINNING_EVERY_MS, FROM_BEGINNING_SHARE * (endedMs - begunMs))
    return rows
  }
}

/**
 * Publishes one batch in order with acknowledgements overlapped, and marks what the stream has acknowledged.
 * @returns how many rows there were
 * @throws the first failed acknowledgement, after the others are marked
 */
export const publishBatch = async (
  { service, db, bus, clock, holder }: RelayContext,
  claim: ReturnType<typeof createClaims>,
  start: ClaimStart,
): Promise<number> => {
  const rows = await claim()
  if (rows.length === 0) return 0
  const acks = await Promise.allSettled(
    rows.map((row) =>
      bus.publishEvent(`events.${service}.${row.subject}`, publishedText(row), row.eventId, row.traceparent),
    ),
  )
  const seqs: number[] = []
  let lastStreamSeq = 0
  acks.forEach((ack, index) => {
    const row = rows[index]
    if (row === undefined || ack.status === 'rejected') return
    seqs.push(row.seq)
    lastStreamSeq = Math.max(lastStreamSeq, ack.value)
  })
  if (seqs.length > 0) await store.markPublished(db, { seqs, lastStreamSeq, now: clock.now(), holder })
  published.inc(seqs.length)
  const failed = acks.find((ack) => ack.status === 'rejected')
  if (failed) throw failed.reason
  start.published(rows.length < PUBLISH_BATCH ? null : (rows.at(-1)?.seq ?? null))
  return rows.length
}
