import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import {
  balanceEntries,
  bankStatements,
  paidOut,
  payouts,
  wallets,
  type PartnerPayout,
  type Payout,
} from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { paid, timeOf } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

let orders = 0
/** Books payments of 100.00 EUR, of each of which the partner earns 9.00. @returns the partner's id */
const earn = async (payments = 1, partnerId = newId('partner')): Promise<string> => {
  const facts = Array.from({ length: payments }, () =>
    paid({
      fact_id: `earned-${(orders += 1)}`,
      partner_id: partnerId,
      partner_fee_cents: 900,
      ...{ at: timeOf(0), available_at: timeOf(0) },
    }),
  )
  await postFacts({ db: ledger.db, clock: ledger.clock }, facts)
  return partnerId
}
const announce = (partnerId: string, amountCents: number, idempotencyKey?: string) =>
  ledger.asStaff(payouts.announceToPartner, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    params: { partnerId },
    body: { amount_cents: amountCents, currency: 'EUR', scheduled_for: '2026-12-01T10:00:00Z' },
  })
const announced = async (...args: Parameters<typeof announce>): Promise<Payout> => {
  const answer = await announce(...args)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout
}
const listed = async (partnerId: string, query = {}) => {
  const answer = await ledger.asPartner(paidOut.listOwn, partnerId, { query })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}
/** Available, and on the way. */
const balancesOf = async (partnerId: string) => {
  const answer = await ledger.asPartner(wallets.listOwn, partnerId)
  return answer.ok && answer.value.wallets.map(({ available, on_the_way: onTheWay }) => [available, onTheWay])
}
const readOne = (partnerId: string, payoutId: string) =>
  ledger.asPartner(paidOut.get, partnerId, { params: { payoutId } })
const step = (operation: typeof payouts.markSent | typeof payouts.cancel, payoutId: string) =>
  ledger.asStaff(operation, { params: { payoutId } })

test('pays a partner what it has earned, and the partner reads how it adds up', async () => {
  const partnerId = await earn(3)
  const payout = await announced(partnerId, 2_000)
  expect(payout).toMatchObject({
    ...{ customer_id: null, partner_customer_id: null, partner_id: partnerId },
    ...{ currency: 'EUR', amount_cents: 2_000, status: 'upcoming', destination: null, schedule: null },
  })
  expect(await balancesOf(partnerId)).toEqual([[700, 2_000]])
  await ledger.asStaff(payouts.markSent, {
    params: { payoutId: payout.payout_id },
    body: { reference: 'Earnings of November' },
  })
  const { payouts: own, next_cursor: next } = await listed(partnerId)
  expect([own.length, next]).toEqual([1, null])
  const [read] = own
  expect(read).toMatchObject({
    ...{ payout_id: payout.payout_id, partner_id: partnerId, status: 'sent', amount_cents: 2_000 },
    reference: 'Earnings of November',
    summary: { partner_fees: 2_000, advance: 0, entry_count: 3 },
  })
  expect(read).not.toHaveProperty('customer_id')
  const params = { payoutId: payout.payout_id }
  expect(await readOne(partnerId, payout.payout_id)).toMatchObject({ ok: true, value: { payout: read } })
  const entries = await ledger.asPartner(paidOut.listEntries, partnerId, { params, query: {} })
  const paidAmounts = entries.ok && entries.value.balance_entries.map(({ paid_amount: amount }) => amount)
  expect(paidAmounts).toEqual([200, 900, 900])
  const moved = await ledger.asPartner(balanceEntries.listOwn, partnerId, {
    query: { payout_id: payout.payout_id, balance: 'available' },
  })
  expect(moved).toMatchObject({ ok: true, value: { balance_entries: [{ kind: 'payout', amount: -2_000 }] } })
})

test('never pays more than a partner has available, and pays nothing twice for one key', async () => {
  const partnerId = await earn(2)
  expect(await announce(partnerId, 1_801)).toMatchObject({
    ...{ ok: false, code: 'amount_exceeds_available', details: [{ available: 1_800 }] },
  })
  const answers = await Promise.all(Array.from({ length: 4 }, () => announce(partnerId, 1_800, 'november')))
  const ids = answers.map((answer) => (answer.ok ? answer.value.payout.payout_id : answer.code))
  expect(new Set(ids).size).toBe(1)
  expect(await announce(partnerId, 1_700, 'november')).toMatchObject({
    ok: false,
    code: 'idempotency_key_reuse',
  })
  expect(await announce(partnerId, 1)).toMatchObject({ ok: false, code: 'amount_exceeds_available' })
  expect(await announce(newId('partner'), 1)).toMatchObject({
    ...{ ok: false, code: 'amount_exceeds_available', details: [{ available: 0 }] },
  })
})

test('pays exactly those of racing payouts that a partner’s balance covers', async () => {
  const partnerId = await earn(5)
  const answers = await Promise.all(Array.from({ length: 8 }, () => announce(partnerId, 1_000)))
  expect(answers.map((answer) => (answer.ok ? 'paid' : answer.code)).sort()).toEqual([
    ...Array.from({ length: 4 }, () => 'amount_exceeds_available'),
    ...Array.from({ length: 4 }, () => 'paid'),
  ])
  expect(await balancesOf(partnerId)).toEqual([[500, 4_000]])
})

test('makes a payout to a partner available again that was cancelled or has come back, without an event', async () => {
  const partnerId = await earn(2)
  const cancelled = await announced(partnerId, 1_800)
  expect(await balancesOf(partnerId)).toEqual([[0, 1_800]])
  expect(await step(payouts.cancel, cancelled.payout_id)).toMatchObject({ ok: true })
  expect(await balancesOf(partnerId)).toEqual([[1_800, 0]])
  const sent = await announced(partnerId, 1_000)
  expect(await step(payouts.markSent, sent.payout_id)).toMatchObject({ ok: true })
  expect(await balancesOf(partnerId)).toEqual([[800, 1_000]])
  const returned = await ledger.asStaff(payouts.markReturned, {
    params: { payoutId: sent.payout_id },
    body: { reason: 'Account closed' },
  })
  expect(returned).toMatchObject({
    ok: true,
    value: { payout: { partner_id: partnerId, status: 'returned', return_reason: 'Account closed' } },
  })
  expect(await balancesOf(partnerId)).toEqual([[1_800, 0]])
  const again = await announced(partnerId, 1_800)
  expect(await readOne(partnerId, again.payout_id)).toMatchObject({
    ok: true,
    value: { payout: { summary: { partner_fees: 800, payouts_returned: 1_000, advance: 0 } } },
  })
  const events = JSON.stringify(await ledger.events())
  expect([cancelled, sent, again].filter(({ payout_id: id }) => events.includes(id))).toEqual([])
})

test('settles a payout to a partner by the bank’s line with its reference, and returns it by the credit', async () => {
  const partnerId = await earn(1)
  const { payout_id: id } = await announced(partnerId, 900)
  await step(payouts.markSent, id)
  const reference = id.replace('_', '-')
  const imported = await ledger.asStaff(bankStatements.importFile, {
    body: {
      csv: [
        'line_id,booked_at,amount_cents,currency,reference,counterparty',
        `debit-${id},2026-11-28,-900,EUR,${reference},Partner`,
        `credit-${id},2026-11-29,900,EUR,${reference},Partner`,
      ].join('\n'),
    },
  })
  expect(imported).toMatchObject({ ok: true, value: { imported: 2, rejected: [] } })
  await eventually(async () => (await listed(partnerId)).payouts[0]?.status === 'returned')
  expect((await listed(partnerId)).payouts).toMatchObject([
    { payout_id: id, settled_at: expect.any(String), return_reason: 'Returned by the bank' },
  ])
  expect(await balancesOf(partnerId)).toEqual([[900, 0]])
})

test('lists the payouts of a partner page by page, newest first', async () => {
  const partnerId = await earn(5)
  const made = [await announced(partnerId, 1), await announced(partnerId, 2), await announced(partnerId, 3)]
  const read: PartnerPayout[] = []
  for (let before: string | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
    const page: Awaited<ReturnType<typeof listed>> = await listed(partnerId, {
      ...{ limit: 2, ...(before !== null && { before }) },
    })
    read.push(...page.payouts)
    before = page.next_cursor
  }
  expect(read.map(({ payout_id: id }) => id)).toEqual(made.map(({ payout_id: id }) => id).reverse())
})

test('hides the payouts of a partner from every other partner, and from merchants', async () => {
  const pair = [await earn(1), await earn(1)] as const
  const made = [await announced(pair[0], 900), await announced(pair[1], 900)] as const
  const notFound = { ok: false, code: 'resource_not_found' }
  for (const [reader, { payout_id: id }] of [
    [pair[0], made[1]],
    [pair[1], made[0]],
  ] as const) {
    expect((await listed(reader)).payouts.map((payout) => payout.payout_id)).not.toContain(id)
    expect(await readOne(reader, id)).toMatchObject(notFound)
    const request = { params: { payoutId: id }, query: {} }
    expect(await ledger.asPartner(paidOut.listEntries, reader, request)).toMatchObject(notFound)
    const moved = await ledger.asPartner(balanceEntries.listOwn, reader, { query: { payout_id: id } })
    expect(moved).toMatchObject({ ok: true, value: { balance_entries: [] } })
  }
  const [{ payout_id: payoutId }] = made
  const asMerchant = await ledger.asMerchant(paidOut.getByMerchant, newId('merchant'), {
    params: { payoutId },
  })
  expect(asMerchant).toMatchObject(notFound)
})

test('lists payouts to partners among those of staff, with the partner', async () => {
  const partnerId = await earn(1)
  const { payout_id: id } = await announced(partnerId, 900)
  const answer = await ledger.asStaff(payouts.get, { params: { payoutId: id } })
  expect(answer).toMatchObject({
    ok: true,
    value: { payout: { partner_id: partnerId, customer_id: null, summary: { partner_fees: 900 } } },
  })
  const list = await ledger.asStaff(payouts.list, { query: { status: 'upcoming', limit: 100 } })
  const ids = list.ok && list.value.payouts.map((payout) => payout.payout_id)
  expect(ids).toContain(id)
})

test('keeps the books correct through all payouts to partners', async () => {
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
})
