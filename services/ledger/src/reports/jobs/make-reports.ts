import { LEASE_MS, startLoop, whileRenewing, type Clock, type Db, type Logger } from '@causeway/chassis'
import { REPORT_PART_BYTES } from '@causeway/contracts'
import { createHash, randomUUID } from 'node:crypto'
import { COLUMNS } from '../columns.ts'
import { FORMATS } from '../formats.ts'
import { KEPT_MS } from '../operations.ts'
import { rowsOf } from '../read-rows.ts'
import * as store from '../store.ts'

type Context = Readonly<{ db: Db; clock: Clock; log: Logger }>

const LOOK_EVERY_MS = 1_000
/** Attempts after which a report has failed. */
const MAX_ATTEMPTS = 3
const DELETE_EVERY_MS = 3_600_000
const DELETED_AT_ONCE = 100

async function* counted<Row>(pages: AsyncIterable<readonly Row[]>, count: (rows: number) => void) {
  for await (const rows of pages) {
    count(rows.length)
    yield rows
  }
}

/** Reads a report's rows and writes its file in memory. */
const write = async (db: Db['pooled'], question: store.Question) => {
  const { type, format, partnerId, partnerCustomerId, after, through } = question
  const periods = await store.listAccountPeriods(db, {
    ...{ partnerId, partnerCustomerId },
    ...{ after: BigInt(after), through: BigInt(through) },
  })
  let rows = 0
  const pages = counted(rowsOf(db, type, periods), (more) => {
    rows += more
  })
  const heading = {
    type,
    from: question.fromAt.toISOString(),
    to: question.toAt.toISOString(),
    as_of: question.asOf.toISOString(),
    partner_customer_id: partnerCustomerId,
  }
  const hash = createHash('sha256')
  const parts: Buffer[] = []
  let bytes = 0
  for await (const piece of FORMATS[format].write(COLUMNS[type], pages, heading)) {
    hash.update(piece)
    bytes += piece.length
    for (let at = 0; at < piece.length; at += REPORT_PART_BYTES)
      parts.push(piece.subarray(at, at + REPORT_PART_BYTES))
  }
  return { rows, bytes, parts, sha256: hash.digest('hex') }
}

type Held = Readonly<{ reportId: string; holder: string }>

const save = (db: Db, held: Held, { parts, ...file }: Awaited<ReturnType<typeof write>>) =>
  db.transaction(async (tx) => {
    // Another replica that has taken over makes the same file.
    if ((await store.markReady(tx, { ...held, ...file, parts: parts.length })) === null) return
    for (const [part, content] of parts.entries())
      await store.insertPart(tx, { reportId: held.reportId, part, content })
  })

/** Makes the report that has waited longest. @returns false if none waits */
const makeNext = async ({ db, clock, log }: Context, holder: string): Promise<boolean> => {
  const leaseUntil = () => new Date(clock.nowMs() + LEASE_MS)
  const claimed = await store.claimReport(db.pooled, { holder, now: clock.now(), leaseUntil: leaseUntil() })
  if (claimed === null) return false
  const { reportId, attempts } = claimed
  const held = { reportId, holder }
  const end = async (): Promise<void> => {
    const status = attempts < MAX_ATTEMPTS ? 'queued' : 'failed'
    await store.endAttempt(db.pooled, { ...held, status })
    if (status === 'failed')
      log.error({ event: 'report.failed', reportId }, 'A report could not be made; its partner asks again')
  }
  // Its holders have died.
  if (attempts > MAX_ATTEMPTS) {
    await end()
    return true
  }
  try {
    const renew = () => store.renewReport(db.pooled, { ...held, leaseUntil: leaseUntil() })
    await whileRenewing(renew, log, async () => save(db, held, await write(db.pooled, claimed)))
  } catch (error) {
    await end()
    throw error
  }
  return true
}

/** Makes reports, one at a time in a replica, and deletes those that are kept no longer. */
export const startReports = (context: Context) => {
  const { db, clock, log } = context
  const holder = randomUUID()
  const making = startLoop({
    name: 'make-reports',
    everyMs: LOOK_EVERY_MS,
    restMs: 0,
    log,
    run: () => makeNext(context, holder),
  })
  const deleting = startLoop({
    name: 'delete-reports',
    everyMs: DELETE_EVERY_MS,
    restMs: LOOK_EVERY_MS,
    log,
    async run() {
      const before = new Date(clock.nowMs() - KEPT_MS)
      const deleted = await store.deleteOldReports(db.pooled, { before, limit: DELETED_AT_ONCE })
      return deleted.length === DELETED_AT_ONCE
    },
  })
  return {
    wake: making.wake,
    async stop() {
      await Promise.all([making.stop(), deleting.stop()])
    },
  }
}
