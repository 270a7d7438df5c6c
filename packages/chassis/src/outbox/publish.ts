import type { ServiceName } from '@causeway/contracts'
import type { Bus } from '../bus/connect.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import { metrics } from '../metrics.ts'
import * as store from './store.ts'

/** Most rows of one claim. */
export const PUBLISH_BATCH = 256
const LEASE_MS = 5_000

const published = metrics.counter('causeway_outbox_published_total', 'Events relayed to the stream')

/** Dependencies of a relay; `holder` names this replica in the lease. */
export type RelayContext = Readonly<{ service: ServiceName; db: Db; bus: Bus; clock: Clock; holder: string }>

/**
 * Publishes one batch in order with acknowledgements overlapped, and marks what the stream has acknowledged.
 * @returns how many rows there were
 * @throws the first failed acknowledgement, after the others are marked
 */
export const publishBatch = async ({ service, db, bus, clock, holder }: RelayContext): Promise<number> => {
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const rows = await store.claimUnpublished(db, { holder, now, leaseUntil, limit: PUBLISH_BATCH })
  if (rows.length === 0) return 0
  const acks = await Promise.allSettled(
    rows.map((row) =>
      bus.publishEvent(`events.${service}.${row.subject}`, row.payload, row.eventId, row.traceparent),
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
  return rows.length
}
