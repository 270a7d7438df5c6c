import { createServiceClient, implement, newId, reply, serve } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS, testReceiverKeys } from '@causeway/chassis/testing'
import {
  balanceEntries,
  paidOut,
  pastPayouts,
  payouts,
  wallets,
  type PastPayout,
  type Payout,
} from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeOverPayouts } from '../src/payouts/jobs/take-over.ts'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { stepPayout } from '../src/payouts/pay-out.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

/** A merchant with relationships that the ledger knows. */
const newMerchant = async (relationships = 1) => {
  const merchantId = newId('merchant')
  const states = Array.from({ length: relationships }, () =>
    ledger.onboarding.relate({ customer_id: merchantId }),
  )
  for (const state of states) await ledger.onboarding.publish(state)
  const ids = states.map((state) => state.partner_customer_id)
  await eventually(async () => {
    const rows = await ledger.sql('SELECT FROM relationships WHERE merchant_id = $1', [merchantId])
    return rows.length === relationships
  })
  return { merchantId, relationships: ids, first: ids[0] ?? '' }
}
const announce = (merchantId: string, change: object = {}, idempotencyKey?: string) =>
  ledger.asStaff(payouts.announce, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    body: {
      customer_id: merchantId,
      amount_cents: 5_000,
      currency: 'EUR',
      scheduled_for: '2026-12-01T10:00:00+01:00',
      ...change,
    },
  })
const announced = async (...args: Parameters<typeof announce>): Promise<Payout> => {
  const answer = await announce(...args)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout
}
const send = (payoutId: string) => ledger.asStaff(payouts.markSent, { params: { payoutId } })
/** Events of a balance that fell below zero are for partners alone, and come in their own time. */
const eventsOf = async (payoutId: string) =>
  (await ledger.events()).filter(
    ({ merchant }) => merchant !== null && JSON.stringify(merchant.body).includes(payoutId),
  )
const sumsOf = async (owner: string) => {
  const sums = await ledger.sums()
  return [sums[`${owner}:available EUR`] ?? 0n, sums[`${owner}:on_the_way EUR`] ?? 0n]
}
let earnings = 0
const earn = (ownerId: string, amount: bigint) =>
  postBatch(
    ledger.db.pooled,
    { postings: [adjustmentPosting({ ownerId, unit: 'EUR', amount }, `adj_${(earnings += 1)}`, new Date())] },
    new Date(),
  )
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('announces and sends a payout once, with both events for its merchant and the summary in each', async () => {
  const { merchantId, first } = await newMerchant()
  await earn(first, 3_000n)
  const payout = await announced(merchantId)
  expect(payout).toMatchObject({
    customer_id: merchantId,
    amount_cents: 5_000,
    currency: 'EUR',
    status: 'upcoming',
    scheduled_for: '2026-12-01T09:00:00.000Z',
    sent_at: null,
  })
  const id = payout.payout_id
  const answers = await Promise.all([send(id), send(id)])
  expect(answers.map((answer) => (answer.ok ? 'sent' : answer.code)).sort()).toEqual([
    'invalid_state',
    'sent',
  ])
  const events = await eventsOf(id)
  expect(
    events.map(({ partners, merchant }) => [
      partners,
      merchant?.merchant_id,
      merchant?.integration_id,
      merchant?.event,
    ]),
  ).toEqual([
    [[], merchantId, null, 'payout_upcoming'],
    [[], merchantId, null, 'payout_sent'],
  ])
  for (const { merchant } of events) {
    const body = merchant?.body as unknown as {
      order: object
      payout: { amountCents: number; summary: Record<string, number> }
    }
    expect(Object.keys(body.order)).toEqual([
      'id',
      'amountCents',
      'currency',
      'status',
      'scheduledFor',
      'createdAt',
      'sentAt',
    ])
    const { entryCount, ...amounts } = body.payout.summary
    expect([entryCount, amounts['adjustments'], amounts['advance']]).toEqual([1, 3_000, 2_000])
    expect(Object.values(amounts).reduce((sum, amount) => sum + amount, 0)).toBe(body.payout.amountCents)
  }
  expect(await sumsOf(first)).toEqual([-2_000n, 5_000n])
  expect(await faults()).toEqual([])
})

test('books a payout at the relationship that is named, or at the merchant itself where it has several', async () => {
  const { merchantId, relationships } = await newMerchant(2)
  const [first = '', second = ''] = relationships
  await announced(merchantId, { partner_customer_id: second })
  await announced(merchantId)
  expect([await sumsOf(first), await sumsOf(second), await sumsOf(merchantId)]).toEqual([
    [0n, 0n],
    [-5_000n, 5_000n],
    [-5_000n, 5_000n],
  ])
  const answer = await ledger.asMerchant(wallets.listByMerchant, merchantId)
  expect(answer.ok && answer.value.balances.map((each) => [each.partnerCustomerId, each.onTheWay])).toEqual(
    expect.arrayContaining([
      [merchantId, 5_000],
      [second, 5_000],
      [null, 10_000],
    ]),
  )
})

test('refuses a payout of an unknown merchant, of another merchant’s relationship, or with an unknown currency', async () => {
  const { merchantId } = await newMerchant()
  const other = await newMerchant()
  expect(await announce(newId('merchant'))).toEqual({ ok: false, code: 'resource_not_found' })
  expect(await announce(merchantId, { partner_customer_id: other.first })).toEqual({
    ok: false,
    code: 'resource_not_found',
  })
  expect(await announce(merchantId, { currency: 'XTS' })).toMatchObject({ code: 'invalid_request' })
  expect(await send(newId('payout'))).toEqual({ ok: false, code: 'resource_not_found' })
})

test('lists upcoming payouts by their schedule, page by page, until they are sent', async () => {
  const { merchantId } = await newMerchant()
  const ids: string[] = []
  for (const day of ['03', '02', '04'])
    ids.push((await announced(merchantId, { scheduled_for: `2020-12-${day}T10:00:00Z` })).payout_id)
  const pageOf = async (query: object) => {
    const answer = await ledger.asStaff(payouts.list, { query })
    if (!answer.ok) throw new Error(answer.code)
    return { ids: answer.value.payouts.map((row) => row.payout_id), next: answer.value.next_cursor }
  }
  const first = await pageOf({ limit: '2' })
  const second = await pageOf({ limit: '1', cursor: first.next })
  expect([...first.ids, ...second.ids]).toEqual([ids[1], ids[0], ids[2]])
  await send(ids[0] ?? '')
  expect((await pageOf({ limit: '2' })).ids).toEqual([ids[1], ids[2]])
  expect((await pageOf({ status: 'sent' })).ids).toContain(ids[0])
  expect(await ledger.asStaff(payouts.list, { query: { cursor: 'x' } })).toMatchObject({
    code: 'invalid_cursor',
  })
})

test('announces one payout however often and by whom a key is repeated, and two without a key', async () => {
  const { merchantId, first } = await newMerchant()
  const key = newId('request')
  const same = await Promise.all([announced(merchantId, {}, key), announced(merchantId, {}, key)])
  expect(new Set(same.map(({ payout_id }) => payout_id)).size).toBe(1)
  expect(await eventsOf(same[0].payout_id)).toHaveLength(1)
  expect(await sumsOf(first)).toEqual([-5_000n, 5_000n])
  expect(await announce(merchantId, { amount_cents: 5_001 }, key)).toEqual({
    ok: false,
    code: 'idempotency_key_reuse',
  })
  expect((await announced(merchantId)).payout_id).not.toBe((await announced(merchantId)).payout_id)
})

test('releases the key of a payout that was refused', async () => {
  const key = newId('request')
  expect(await announce(newId('merchant'), {}, key)).toEqual({ ok: false, code: 'resource_not_found' })
  const { merchantId } = await newMerchant()
  expect(await announced(merchantId, {}, key)).toMatchObject({ status: 'upcoming' })
})

test('adopts payouts of the previous version once, in the status that they have, without an event', async () => {
  const { merchantId, first } = await newMerchant()
  const past = (change: Partial<PastPayout> = {}): PastPayout => ({
    payout_id: newId('payout'),
    customer_id: merchantId,
    amount_cents: 700,
    currency: 'EUR',
    status: 'upcoming',
    scheduled_for: '2026-11-02T00:00:00.000Z',
    created_at: '2026-11-01T00:00:00.000Z',
    sent_at: null,
    ...change,
  })
  const sent = { status: 'sent', sent_at: '2026-11-02T00:00:00.000Z' } as const
  const [upcoming, gone, strange] = [past(), past(sent), past({ customer_id: newId('merchant') })]
  const kept = new Map(
    [upcoming, gone, strange].map((each) => [each.payout_id, { payout: each, confirmed: '' }]),
  )
  let isConfirming = false
  serve(
    ledger.bus,
    implement(pastPayouts, {
      list: () =>
        Promise.resolve(
          reply({
            payouts: [...kept.values()]
              .filter((each) => each.payout.status !== each.confirmed)
              .map(({ payout }) => payout),
          }),
        ),
      confirm({ body }) {
        for (const { payout_id: id, status } of isConfirming ? body.payouts : []) {
          const known = kept.get(id)
          if (known) known.confirmed = status
        }
        return Promise.resolve(reply({}))
      },
    }),
    {
      keys: testReceiverKeys(),
      service: 'payments',
      clock: ledger.clock,
      log: ledger.log,
      checkReplies: true,
    },
  )
  const takeOver = () =>
    takeOverPayouts({
      ...ledger,
      ask: createServiceClient({
        ...ledger,
        service: 'ledger',
        timeoutMs: TEST_DEADLINE_MS,
        timeoutFactor: 1,
      }),
    })
  // The confirmation is lost: everything comes again.
  await takeOver()
  isConfirming = true
  await takeOver()
  expect([...kept.values()].map(({ confirmed }) => confirmed)).toEqual(['upcoming', 'sent', ''])
  // A replica of the version before marks one as sent.
  kept.set(upcoming.payout_id, { payout: { ...upcoming, ...sent }, confirmed: 'upcoming' })
  await takeOver()
  expect(
    await ledger.sql(
      'SELECT payout_id, owner_id, status, sent_at FROM payouts WHERE merchant_id = $1 ORDER BY payout_id',
      [merchantId],
    ),
  ).toEqual(
    [upcoming, gone]
      .map(({ payout_id }) => ({
        payout_id,
        owner_id: first,
        status: 'sent',
        sent_at: new Date(sent.sent_at),
      }))
      .sort((a, b) => (a.payout_id < b.payout_id ? -1 : 1)),
  )
  expect(await sumsOf(first)).toEqual([-1_400n, 1_400n])
  const events = JSON.stringify(await ledger.events())
  expect([upcoming, gone].filter(({ payout_id: id }) => events.includes(id))).toEqual([])
  expect(await faults()).toEqual([])
})

/** A payout of 100 of the entries 80, -10 and 50, after which the last one is left in part. */
const paidInParts = async () => {
  const { merchantId, first } = await newMerchant()
  const state = ledger.onboarding.relate({ grants: ['payouts', 'wallets'], version: 2 }, first)
  await ledger.onboarding.publish(state)
  for (const amount of [80n, -10n, 50n]) await earn(first, amount)
  const { payout_id: payoutId } = await announced(merchantId, { amount_cents: 100 })
  return { merchantId, partnerId: state.partner_id, customerId: first, payoutId }
}

test('shows a payout to its partner and its merchant with exactly the entries that it pays', async () => {
  const { merchantId, partnerId, customerId, payoutId } = await paidInParts()
  await announced(merchantId, { amount_cents: 1 })
  const listed = await ledger.asPartner(paidOut.list, partnerId, {
    params: { customerId },
    query: { limit: '1' },
  })
  const next = listed.ok ? listed.value.next_cursor : null
  const second = await ledger.asPartner(paidOut.list, partnerId, {
    params: { customerId },
    query: { before: next },
  })
  expect(second).toMatchObject({
    value: { payouts: [{ payout_id: payoutId, amount_cents: 100 }], next_cursor: null },
  })
  expect(await ledger.asPartner(paidOut.get, partnerId, { params: { payoutId } })).toMatchObject({
    value: {
      payout: {
        payout_id: payoutId,
        customer_id: merchantId,
        partner_customer_id: customerId,
        unit: 'EUR',
        status: 'upcoming',
        summary: { adjustments: 100, advance: 0, entry_count: 3 },
      },
    },
  })
  const entries = await ledger.asPartner(paidOut.listEntries, partnerId, { params: { payoutId }, query: {} })
  const parts = entries.ok
    ? entries.value.balance_entries.map((each) => [each.amount, each.paid_amount, each.payout_id])
    : entries.code
  expect(parts).toEqual([
    [50, 30, payoutId],
    [-10, -10, payoutId],
    [80, 80, payoutId],
  ])
  expect(await ledger.asMerchant(paidOut.listByMerchant, merchantId, { query: {} })).toMatchObject({
    value: { payouts: [{ amountCents: 1 }, { payoutId, summary: { adjustments: 100, entryCount: 3 } }] },
  })
  expect(await ledger.asMerchant(paidOut.getByMerchant, merchantId, { params: { payoutId } })).toMatchObject({
    ok: true,
  })
  const own = await ledger.asMerchant(paidOut.listEntriesByMerchant, merchantId, {
    params: { payoutId },
    query: { limit: '2' },
  })
  expect(own.ok && own.value.balanceEntries.map((each) => each.paidAmount)).toEqual([30, -10])
  const rest = { before: own.ok ? own.value.nextCursor : null }
  const last = await ledger.asMerchant(paidOut.listEntriesByMerchant, merchantId, {
    params: { payoutId },
    query: rest,
  })
  expect(last.ok && last.value.balanceEntries.map((each) => each.paidAmount)).toEqual([80])
})

test('hides a payout from other partners and merchants, also of the same merchant, and requires the capability', async () => {
  const { merchantId, partnerId, customerId, payoutId } = await paidInParts()
  const other = ledger.onboarding.relate({ customer_id: merchantId, grants: ['payouts'] })
  await ledger.onboarding.publish(other)
  const hidden = { ok: false, code: 'resource_not_found' }
  const params = { payoutId }
  for (const stranger of [other.partner_id, newId('partner')]) {
    expect(await ledger.asPartner(paidOut.get, stranger, { params })).toEqual(hidden)
    expect(await ledger.asPartner(paidOut.listEntries, stranger, { params, query: {} })).toEqual(hidden)
    const list = { params: { customerId }, query: {} }
    expect(await ledger.asPartner(paidOut.list, stranger, list)).toEqual(hidden)
  }
  const stranger = newId('merchant')
  expect(await ledger.asMerchant(paidOut.getByMerchant, stranger, { params })).toEqual(hidden)
  expect(await ledger.asMerchant(paidOut.listEntriesByMerchant, stranger, { params, query: {} })).toEqual(
    hidden,
  )
  await ledger.onboarding.publish(ledger.onboarding.relate({ grants: ['wallets'], version: 3 }, customerId))
  const refused = { ok: false, code: 'capability_not_enabled' }
  await eventually(async () => {
    const answer = await ledger.asPartner(paidOut.get, partnerId, { params: { payoutId } })
    return !answer.ok && answer.code === refused.code
  })
  expect(await ledger.asPartner(paidOut.list, partnerId, { params: { customerId }, query: {} })).toEqual(
    refused,
  )
  expect(await ledger.asPartner(paidOut.listEntries, partnerId, { params: { payoutId }, query: {} })).toEqual(
    refused,
  )
})

test('names a payout in the entries with which it moves the balances, also in the statement', async () => {
  const { merchantId, partnerId, customerId, payoutId } = await paidInParts()
  const of = { params: { customerId }, query: { payout_id: payoutId } }
  const entries = await ledger.asPartner(balanceEntries.list, partnerId, of)
  expect(
    entries.ok &&
      entries.value.balance_entries.map((each) => [each.balance, each.kind, each.amount, each.payout_id]),
  ).toEqual([
    ['on_the_way', 'payout', 100, payoutId],
    ['available', 'payout', -100, payoutId],
  ])
  const own = await ledger.asMerchant(balanceEntries.listByMerchant, merchantId, {
    query: { payout_id: payoutId },
  })
  expect(own.ok && own.value.balanceEntries.map((each) => each.payoutId)).toEqual([payoutId, payoutId])
  for (const query of [{ payout_id: newId('payout') }, { payout_id: payoutId, order_key: '7' }])
    expect(
      await ledger.asPartner(balanceEntries.list, partnerId, { params: { customerId }, query }),
    ).toMatchObject({
      value: { balance_entries: [] },
    })
  await ledger.db.transaction((tx) => stepPayout(tx, { payoutId, step: 'cancelled' }, new Date()))
  const all = await ledger.asPartner(balanceEntries.list, partnerId, of)
  const found = all.ok ? all.value.balance_entries : []
  expect(found).toHaveLength(4)
  expect(
    found
      .filter((each) => each.reverses !== null)
      .map((each) => each.reverses)
      .sort(),
  ).toEqual(
    found
      .filter((each) => each.reverses === null)
      .map((each) => each.entry_id)
      .sort(),
  )
})
