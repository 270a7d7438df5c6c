import { newId } from '@causeway/chassis'
import { createWriteBlocker, killNow } from '@causeway/chassis/testing'
import { payoutRuns } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ChildProcess } from 'node:child_process'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let child: ChildProcess
beforeAll(async () => {
  ledger = await startForTests()
  await ledger.stopReplicas()
})
afterAll(async () => {
  await ledger.startReplica()
  await ledger.stop()
})

/** Two relationships with a schedule and 100 each, in a unit of their own. */
const twoCustomers = async (unit: string): Promise<string[]> => {
  const ids = [newId('relationship'), newId('relationship')]
  for (const id of ids) {
    await ledger.sql(
      `INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
       VALUES ($1, $2, $3, 'active', '{payouts}', 1)`,
      [id, newId('partner'), newId('merchant')],
    )
    await ledger.sql(
      `INSERT INTO payout_schedules (partner_customer_id, unit, interval, minimum, due_at)
       VALUES ($1, $2, 'daily', 0, '2999-01-01')`,
      [id, unit],
    )
    const posting = adjustmentPosting({ ownerId: id, unit, amount: 100n }, newId('adjustment'), new Date())
    await postBatch(ledger.db.pooled, { postings: [posting] }, new Date())
  }
  return ids
}

const POINTS = ['payout_runs', 'books.journal', 'books.payouts', 'payouts', 'outbox_events'] as const

test.each(
  POINTS.flatMap((table, at) =>
    (['breakOff', 'release'] as const).map(
      (end, side) =>
        [
          table,
          end,
          ['SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF', 'RON', 'CHF', 'GBP', 'USD'][2 * at + side] ?? '',
        ] as const,
    ),
  ),
)('pays each balance once when a run is killed at its write to %s (%s)', async (table, end, unit) => {
  const ids = await twoCustomers(unit)
  const run = (key: string) =>
    ledger.asStaff(payoutRuns.run, { body: { unit: unit as 'EUR' }, idempotencyKey: key })
  const key = newId('request')
  const blocker = await createWriteBlocker(ledger.config.databaseUrl, table)
  child = await ledger.startProcess()
  await blocker.begin()
  // Nobody answers it.
  void run(key).catch(() => undefined)
  await blocker.reached()
  await killNow(child)
  await blocker[end]()
  await blocker.close()
  await ledger.sql('DROP FUNCTION block_writes() CASCADE')

  child = await ledger.startProcess()
  const answer = await run(key)
  expect(
    answer.ok && answer.value.payouts.map((each) => [each.partner_customer_id, each.amount_cents]),
  ).toEqual(expect.arrayContaining(ids.map((id) => [id, 100])))
  const repeated = await run(key)
  expect(repeated.ok && repeated.value).toEqual(answer.ok && answer.value)
  const sums = await ledger.sums()
  expect(ids.map((id) => [sums[`${id}:available ${unit}`], sums[`${id}:on_the_way ${unit}`]])).toEqual([
    [undefined, 100n],
    [undefined, 100n],
  ])
  const events = (await ledger.events()).filter((event) => JSON.stringify(event).includes(`"unit":"${unit}"`))
  expect(events.map(({ name }) => name)).toEqual(['payout.upcoming', 'payout.upcoming'])
  expect(await verifyBooks(ledger.db.pooled, new Date())).toEqual([])
  await killNow(child)
})
