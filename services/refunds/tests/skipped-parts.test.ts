import { createClock } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const LONG_WAIT = { withinMs: 120_000 }
const SECOND_MS = 1_000
/** More than a page. */
const MADE = 120
const BAD = 60

/** The processor's time, which goes from refund to refund. */
let madeAtMs = Date.now() - 3_600_000
let refunds: RunningRefunds
beforeAll(async () => {
  const reconciliation = { everyMs: 100, overlapMs: 2 * 3_600_000, depthMs: 35 * 86_400_000 }
  refunds = await startForTests(
    { reconciliation },
    createClock(() => madeAtMs),
  )
})
afterAll(() => refunds.stop())

const runs = async () => {
  const { processors } = await refunds.readReconciliation()
  const found = processors.find(({ processor }) => processor === 'processor')
  if (!found) throw new Error('No such processor')
  return found
}
/** The last finished run among those that begin from now on. */
const nextRun = async () => {
  const askedAt = refunds.clock.now().toISOString()
  return eventually(async () => {
    const { last_run: run } = await runs()
    return run !== null && run.started_at > askedAt && run
  }, LONG_WAIT)
}

it('skips and reports a refund whose page keeps failing, compares all others, and it too once it is readable', async () => {
  const [{ orderKey }, bad] = [await refunds.newOrder(), await refunds.newOrder()]
  await nextRun()
  await refunds.failListing('"amount_cents":77,')
  const madeAt: number[] = []
  for (let made = 0; made < MADE; made += 1) {
    madeAtMs += SECOND_MS
    madeAt.push(madeAtMs)
    if (made === BAD) await refunds.refund(bad.partner, bad.orderKey, { amount_cents: 77 })
    else await refunds.refundElsewhere(orderKey, 1)
  }
  const { left_out: skipped } = await eventually(async () => {
    const run = await nextRun()
    const orders = run.left_out.flatMap(({ order_key: key }) => key ?? [])
    return orders.length === 1 && run.left_out.length === 2 && run
  }, LONG_WAIT)
  // Neither the processor's list nor that of its payment contains it.
  const [window, order, ...others] = skipped
  expect([order, ...others]).toEqual([{ since: null, until: null, order_key: bad.orderKey }])
  const [sinceMs, untilMs] = [Date.parse(window?.since ?? ''), Date.parse(window?.until ?? '')]
  expect(untilMs - sinceMs).toBeLessThanOrEqual(SECOND_MS)
  expect(madeAt.filter((ms) => ms >= sinceMs && ms < untilMs)).toEqual([madeAt[BAD]])
  expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: MADE - 1 })
  expect((await refunds.readReconciliation()).differences).toEqual([])

  await refunds.fault('ok')
  await eventually(async () => (await nextRun()).left_out.length === 0, LONG_WAIT)
  expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: MADE - 1 })
  expect(await refunds.eventsOf(orderKey)).toHaveLength(MADE - 1)
  expect(await refunds.eventsOf(bad.orderKey)).toHaveLength(1)
  expect((await refunds.readReconciliation()).differences).toEqual([])
})
