import { registry } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { differences as differenceOperations, type LedgerDifference } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { verifyBooks } from '../src/verification/verify.ts'
import { RELATIONSHIPS, timeOf } from './fixtures/facts.ts'
import {
  book,
  change,
  clock,
  compareFacts,
  DAY_MS,
  debits,
  match,
  paidOrder,
  receivable,
  report,
  reportFrom,
  running,
  TERM_MS,
  matchInEachTest,
} from './fixtures/matching.ts'
import { payout, row } from './fixtures/settlement-report.ts'

matchInEachTest()

type Listed = Readonly<{ differences: readonly LedgerDifference[]; next_cursor: string | null }>
const list = async (query: Record<string, unknown> = {}): Promise<Listed> => {
  const answer = await running.ledger.asStaff(differenceOperations.list, { query })
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  return answer.value
}
/** The open differences of this test's processor. */
const own = async () =>
  (await list({ limit: 100 })).differences.filter(({ source }) => source.endsWith(running.processor))
const close = (differenceId: string, body: Record<string, unknown>) =>
  running.ledger.asStaff(differenceOperations.close, { params: { differenceId }, body })

/** Books the payment of the order 7, whose line has another amount. */
const findOtherAmount = async (gross = 9_000) => {
  await book(paidOrder('7'))
  await report(row('L1', { gross, fee: 0 }), payout(-gross))
  await compareFacts()
  await match()
  const [difference] = await own()
  if (difference === undefined) throw new Error('No difference was found')
  return difference
}

test('lists a difference with its amounts, its age and the owner of the money', async () => {
  expect(await findOtherAmount()).toEqual({
    difference_id: expect.stringMatching(/^dif_/),
    kind: 'other_amount',
    source: `processor:${running.processor}`,
    line_id: 'L1',
    order_key: '7',
    owner: RELATIONSHIPS[0],
    unit: 'EUR',
    expected: 10_000,
    found: 9_000,
    found_unit: 'EUR',
    found_at: new Date(running.clockMs).toISOString(),
    age_seconds: expect.any(Number),
    status: 'open',
    ended_at: null,
    reason: null,
    adjustment_id: null,
  })
})

test('lists differences page by page, oldest first', async () => {
  await findOtherAmount()
  const all = (await list({ limit: 100 })).differences.map(({ difference_id: id }) => id)
  const pages: string[] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page: Listed = await list({ limit: 2, ...(cursor !== null && { cursor }) })
    pages.push(...page.differences.map(({ difference_id: id }) => id))
    cursor = page.next_cursor
  }
  expect(pages).toEqual(all)
})

test('closes a difference with a reason, and books the rest as a loss', async () => {
  const { difference_id: id } = await findOtherAmount()
  const suspended = await debits('suspense:EUR')
  const answer = await change('cost:loss', async () => {
    expect(await close(id, { reason: 'Rounded by the processor' })).toMatchObject({
      ok: true,
      value: { difference: { status: 'closed', reason: 'Rounded by the processor', adjustment_id: null } },
    })
  })
  expect([answer, (await debits('suspense:EUR')) - suspended]).toEqual([1_000n, -1_000n])
  expect([await own(), await receivable()]).toEqual([[], 0n])
  expect(await close(id, { reason: 'Again' })).toMatchObject({
    ...{ ok: false, code: 'invalid_state', details: [{ from: 'closed', to: 'closed' }] },
  })
})

test('posts the adjustment of a closed difference together with the close', async () => {
  await book(paidOrder('1', { fact_id: 'old', at: timeOf(0), available_at: timeOf(1), total_cents: 100_000 }))
  const { difference_id: id } = await findOtherAmount()
  const owner = RELATIONSHIPS[0]
  const adjustment = { partner_customer_id: owner, unit: 'EUR', amount: -1_000 }
  const lost = await change('cost:loss', async () => {
    expect(await change(`${owner}:available`, () => close(id, { reason: 'Paid less', adjustment }))).toBe(
      1_000n,
    )
  })
  expect(lost).toBe(0n)
  const [row] = await running.ledger.sql(
    `SELECT a.amount::text, a.reason, d.status FROM differences d JOIN adjustments a USING (adjustment_id)
     WHERE d.difference_id = '${id}'`,
  )
  expect(row).toEqual({ amount: '-1000', reason: 'Paid less', status: 'closed' })
  expect(await verifyBooks(running.ledger.db.pooled, clock.now())).toEqual([])
})

test.each([
  [
    'an owner that does not exist',
    { partner_customer_id: 'pcu_01h455vb4pex5vsknk084sn02q', unit: 'EUR', amount: -1 },
    { code: 'resource_not_found' },
  ],
  [
    'more than is available',
    { partner_customer_id: RELATIONSHIPS[0], unit: 'EUR', amount: -90_000_000 },
    { code: 'amount_exceeds_available' },
  ],
  [
    'another unit',
    { partner_customer_id: RELATIONSHIPS[0], unit: 'CHF', amount: 1 },
    { code: 'invalid_request', details: [{ field: 'adjustment.unit' }] },
  ],
])('keeps a difference open when its adjustment is of %s', async (_case, adjustment, refusal) => {
  const { difference_id: id } = await findOtherAmount()
  const before = await running.ledger.sums()
  const answer = await close(id, { reason: 'Correction', adjustment })
  expect(answer).toMatchObject({ ok: false, ...refusal })
  expect(await own()).toHaveLength(1)
  expect(await running.ledger.sums()).toEqual(before)
})

test('closes a difference once when two people close it simultaneously', async () => {
  const { difference_id: id } = await findOtherAmount()
  const lost = await change('cost:loss', async () => {
    const answers = await Promise.all(['One', 'Two', 'Three', 'Four'].map((reason) => close(id, { reason })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })
  expect(lost).toBe(1_000n)
})

test('compares a line no more once its difference is closed', async () => {
  await book(paidOrder('7'))
  await report(row('L1', { order: 'P8' }), payout(-9_835))
  await compareFacts()
  await match()
  const [difference] = await own()
  await close(difference?.difference_id ?? '', { reason: 'Booked elsewhere' })
  await book(paidOrder('8'))
  await match()
  expect(await own()).toEqual([])
  // Both payments are still to be settled.
  expect(await receivable()).toBe(20_000n)
})

test('exports the age of the oldest open difference, and how many amounts are overdue', async () => {
  const gauge = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0
  const counted = async () => {
    const [row] = await running.ledger.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM settlement_items LEFT JOIN settlement_sources USING (processor)
       WHERE status = 'open' AND effective_at <= '${new Date(running.clockMs - TERM_MS).toISOString()}'
         AND effective_at >= coalesce(begins_on, '-infinity')`,
    )
    return row?.count
  }
  const before = (await counted()) ?? 0
  await book(paidOrder('9', { at: timeOf(1) }), paidOrder('10', { at: timeOf(0) }))
  await reportFrom(timeOf(1).slice(0, 10))
  await match()
  expect(await counted()).toBe(before + 1)
  await eventually(async () => (await gauge('causeway_ledger_overdue_settlements')) === before + 1)
  await findOtherAmount()
  await running.ledger.sql(
    `UPDATE differences SET found_at = '${new Date(running.clockMs - DAY_MS).toISOString()}' WHERE source = 'processor:${running.processor}'`,
  )
  await eventually(async () => (await gauge('causeway_ledger_difference_age_seconds')) >= DAY_MS / 1_000)
})
