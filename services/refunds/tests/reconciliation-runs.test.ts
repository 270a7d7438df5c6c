import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { queryNone, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const HOUR_MS = 3_600_000
/** A run that was in progress when its replica died. */
const leaveRun = queryNone({
  name: 'test.leave-run',
  parameters: {
    processor: 'text',
    startedAt: 'timestamptz',
    cursor: 'text?',
    compared: 'integer',
    leaseUntil: 'timestamptz',
  },
  text: `
    INSERT INTO reconciliation_runs (processor, is_deep, since, covers_until, started_at, cursor, compared, holder,
      lease_until)
    VALUES (:processor, false, '1970-01-01Z', :startedAt, :startedAt, :cursor, :compared, 'a replica that died',
      :leaseUntil)`,
})
/** One that has compared nothing and whose lease has ended. */
const FREE_RUN = { cursor: null, compared: 0, leaseUntil: new Date(0) }
/** Keeps count of every run that is begun, for the service forgets them. */
const COUNTING = [
  'CREATE TABLE begun_runs (started_at timestamptz)',
  `CREATE FUNCTION count_run() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO begun_runs VALUES (NEW.started_at); RETURN NULL; END'`,
  `CREATE TRIGGER count_run AFTER INSERT ON reconciliation_runs
    FOR EACH ROW WHEN (NEW.processor = 'processor') EXECUTE FUNCTION count_run()`,
].map((text, step) => queryNone({ name: `test.count-runs-${step}`, text }))
const countRuns = queryOne({
  name: 'test.count-runs',
  text: 'SELECT count(*)::int AS count FROM begun_runs',
  row: z.object({ count: z.number() }),
})

let refunds: RunningRefunds
beforeAll(async () => {
  const reconciliation = { everyMs: HOUR_MS, overlapMs: HOUR_MS, depthMs: 35 * 86_400_000 }
  refunds = await startForTests({ reconciliation })
  await Promise.all([idle(), idle('processor_full')])
})
afterEach(() => refunds.fault('ok', undefined, 'all'))
afterAll(() => refunds.stop())

const processor = async (key = 'processor') => {
  const { processors } = await refunds.readReconciliation()
  const found = processors.find((each) => each.processor === key)
  if (!found) throw new Error('No such processor')
  return found
}
/** Waits until a run is finished and none is in progress. */
const idle = (key = 'processor') =>
  eventually(async () => {
    const { last_run: last, current_run: current } = await processor(key)
    return current === null && last !== null && last
  })
const lastRunAfter = (at: string) =>
  eventually(async () => {
    const { last_run: run } = await processor()
    return run !== null && run.started_at > at && run
  })

/** A turn of the job that began after now is over: a run that is free for the taking was carried to its end twice. */
const aTurn = async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    await leaveRun(refunds.db, { ...FREE_RUN, processor: 'processor_full', startedAt: refunds.clock.now() })
    await eventually(async () => (await processor('processor_full')).current_run === null)
  }
}

it('continues the run of a dead replica from its position once the lease has ended', async () => {
  const order = await refunds.newOrder()
  for (let made = 0; made < 120; made += 1) await refunds.refundElsewhere(order.orderKey, 1)
  const now = refunds.clock.now()
  await leaveRun(refunds.db, {
    processor: 'processor',
    startedAt: now,
    cursor: '100',
    compared: 100,
    leaseUntil: new Date(now.getTime() + HOUR_MS / 2),
  })
  await aTurn()
  expect((await processor()).current_run).toMatchObject({ compared: 100, finished_at: null })
  refunds.clock.advance(HOUR_MS / 2 + 1)
  const run = await eventually(async () => {
    const { last_run: last } = await processor()
    return last?.started_at === now.toISOString() && last
  })
  expect(run).toMatchObject({ compared: 120, recorded: 20, finished_at: expect.any(String) })
  expect(await refunds.statesOf(order.orderKey)).toEqual({ reconciled: 20 })

  // The next one reads back behind it, both pages.
  refunds.clock.advance(HOUR_MS)
  expect(await lastRunAfter(run.started_at)).toMatchObject({ compared: 120, recorded: 100 })
  expect(await refunds.statesOf(order.orderKey)).toEqual({ reconciled: 120 })
  expect(await refunds.eventsOf(order.orderKey)).toHaveLength(120)
})

it('makes one run an interval with several replicas', async () => {
  await Promise.all([refunds.startReplica(), refunds.startReplica()])
  for (const step of COUNTING) await step(refunds.db)
  for (let round = 1; round <= 3; round += 1) {
    const { started_at: before } = await idle()
    refunds.clock.advance(HOUR_MS)
    await lastRunAfter(before)
    expect(await countRuns(refunds.db)).toEqual({ count: round })
  }
})

it('reads the list from its beginning when the processor refuses a cursor', async () => {
  await idle()
  const now = refunds.clock.now()
  await leaveRun(refunds.db, {
    ...FREE_RUN,
    processor: 'processor',
    startedAt: now,
    cursor: 'no such cursor',
  })
  expect(await lastRunAfter(new Date(now.getTime() - 1).toISOString())).toMatchObject({
    compared: 120,
    recorded: 0,
  })
})

it('reports nothing missing while a processor cannot be read, and finishes the run when it can', async () => {
  const order = await refunds.newOrder()
  await refunds.refund(order.partner, order.orderKey, { amount_cents: 100 })
  const { started_at: before } = await idle()
  await refunds.fault('error', undefined, 'all')
  refunds.clock.advance(HOUR_MS)
  await eventually(async () => (await processor()).current_run !== null)
  expect((await refunds.readReconciliation()).differences).toEqual([])
  await refunds.fault('ok', undefined, 'all')
  await lastRunAfter(before)
  expect((await refunds.readReconciliation()).differences).toEqual([])
})
