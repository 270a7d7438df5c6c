import {
  startLoop,
  type Clock,
  type Db,
  type Logger,
  type Loop,
  type ServiceClient,
  type Transaction,
} from '@causeway/chassis'
import { readPayoutFees } from '../../payouts/fees.ts'
import { payBalance } from '../../payouts/pay-balance.ts'
import { lastDue, nextDue } from '../due.ts'
import { intervalOf, lockDestination, presentSchedule } from '../schedule.ts'
import * as store from '../store.ts'

const EVERY_MS = 10_000
const BATCH = 100

/** `cutOffMs`: time of day at which schedules are due, in milliseconds since midnight (UTC). */
type Context = Readonly<{ db: Db; ask: ServiceClient; clock: Pick<Clock, 'now'>; cutOffMs: number }>
type Key = Readonly<{ partnerCustomerId: string; unit: string }>
type Terms = Readonly<{ cutOffMs: number; fee: bigint }>

/**
 * Runs a schedule for the last instant at which it was due, and sets the next one in the same transaction: each instant at
 * most once, and after an outage once, not once for each instant that was missed.
 */
const runSchedule = async (tx: Transaction, key: Key, { cutOffMs, fee }: Terms, now: Date): Promise<void> => {
  const row = await store.lockDue(tx, { ...key, now })
  if (row === null) return
  const interval = intervalOf(row)
  const cutOff = lastDue(interval, cutOffMs, now) ?? row.dueAt
  const isNew = row.lastDueAt === null || cutOff > row.lastDueAt
  if (isNew && row.payable && (await lockDestination(tx, key.partnerCustomerId, row.payoutWalletId)))
    await payBalance(
      tx,
      {
        ownerId: key.partnerCustomerId,
        merchantId: row.merchantId,
        unit: key.unit,
        cutOff,
        minimum: BigInt(row.minimum),
        fee,
        runId: null,
        schedule: presentSchedule(row),
      },
      now,
    )
  await store.setRun(tx, {
    ...key,
    ranFor: isNew ? cutOff : (row.lastDueAt ?? cutOff),
    dueAt: nextDue(interval, cutOffMs, now) ?? row.dueAt,
  })
}

/**
 * Runs schedules that are due, each in its own transaction. One that fails does not stop the others.
 * @returns whether there may be more
 * @throws the first failure
 */
export const runDueSchedules = async ({ db, ask, clock, cutOffMs }: Context): Promise<boolean> => {
  const due = await store.listDue(db.pooled, { now: clock.now(), limit: BATCH })
  const balanceOf = ({ partnerCustomerId: ownerId, unit }: Key) => ({ ownerId, unit })
  const feeOf = await readPayoutFees(ask, due.map(balanceOf))
  const failures: unknown[] = []
  for (const key of due)
    await db
      .transaction((tx) => runSchedule(tx, key, { cutOffMs, fee: feeOf(balanceOf(key)) }, clock.now()))
      .catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return due.length === BATCH
}

export const startSchedules = ({ log, ...context }: Context & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'run-payout-schedules',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => runDueSchedules(context),
  })
