import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { paidOut, payouts, type CustomerPayout, type Payout } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { settle } from './fixtures/payouts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

/** A relationship whose partner may read payouts, unless it grants something else. */
const newCustomer = async (grants: readonly ('payouts' | 'wallets')[] = ['payouts']) => {
  const state = ledger.onboarding.relate({ grants })
  await ledger.onboarding.publish(state)
  const { partner_id: partnerId, partner_customer_id: customerId, customer_id: merchantId } = state
  await eventually(async () => {
    const rows = await ledger.sql('SELECT FROM relationships WHERE merchant_id = $1', [merchantId])
    return rows.length === 1
  })
  return { partnerId, customerId, merchantId }
}
const earn = (ownerId: string, amount: bigint) => {
  const posting = adjustmentPosting({ ownerId, unit: 'EUR', amount }, newId('adjustment'), new Date())
  return postBatch(ledger.db.pooled, { postings: [posting] }, new Date())
}
const announced = async (merchantId: string): Promise<string> => {
  const answer = await ledger.asStaff(payouts.announce, {
    body: {
      customer_id: merchantId,
      amount_cents: 5_000,
      currency: 'EUR',
      scheduled_for: '2026-12-01T10:00:00Z',
    },
  })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout.payout_id
}
type Answer = Readonly<{ ok: true; value: { payout: Payout } }> | Readonly<{ ok: false; code: string }>
const STEPS: Readonly<Record<string, (payoutId: string) => Promise<Answer>>> = {
  sent: (payoutId) =>
    ledger.asStaff(payouts.markSent, {
      params: { payoutId },
      body: { reference: 'Payout 7', tx_id: 'E2E-7' },
    }),
  cancelled: (payoutId) => ledger.asStaff(payouts.cancel, { params: { payoutId } }),
  returned: (payoutId) =>
    ledger.asStaff(payouts.markReturned, { params: { payoutId }, body: { reason: 'Account closed' } }),
}
const step = (payoutId: string, name: string): Promise<Answer> =>
  STEPS[name]?.(payoutId) ?? Promise.reject(new Error(name))
const eventsOf = async (payoutId: string) =>
  (await ledger.events()).filter((event) => JSON.stringify(event).includes(payoutId))
const sumsOf = async (owner: string) => {
  const sums = await ledger.sums()
  return [sums[`${owner}:available EUR`] ?? 0n, sums[`${owner}:on_the_way EUR`] ?? 0n]
}
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('takes a payout to its return, and notifies its merchant and the partner that may read it of every step', async () => {
  const { partnerId, customerId, merchantId } = await newCustomer()
  await earn(customerId, 6_000n)
  const id = await announced(merchantId)
  expect(await step(id, 'sent')).toMatchObject({
    value: { payout: { status: 'sent', reference: 'Payout 7', tx_id: 'E2E-7' } },
  })
  expect([await settle(ledger, id), await settle(ledger, id)]).toEqual([true, false])
  expect(await step(id, 'returned')).toMatchObject({
    value: { payout: { status: 'returned', return_reason: 'Account closed', reference: 'Payout 7' } },
  })
  const events = await eventsOf(id)
  expect(
    events.map(({ name, partners, merchant }) => [
      name,
      partners.map((each) => [each.partner_id, each.type, (each.data as unknown as CustomerPayout).status]),
      merchant && [merchant.event, (merchant.body as unknown as { order: { status: string } }).order.status],
    ]),
  ).toEqual([
    ['payout.upcoming', [[partnerId, 'payout.upcoming', 'upcoming']], ['payout_upcoming', 'upcoming']],
    ['payout.sent', [[partnerId, 'payout.sent', 'sent']], ['payout_sent', 'sent']],
    ['payout.settled', [[partnerId, 'payout.settled', 'settled']], null],
    ['payout.returned', [[partnerId, 'payout.returned', 'returned']], ['payout_returned', 'returned']],
  ])
  expect(events.at(-1)).toMatchObject({
    partners: [{ data: { summary: { adjustments: 5_000 }, return_reason: 'Account closed' } }],
    merchant: { body: { payout: { returnReason: 'Account closed', txId: 'E2E-7' } } },
  })
  const read = await ledger.asPartner(paidOut.get, partnerId, { params: { payoutId: id } })
  expect(read.ok && read.value.payout).toEqual(events.at(-1)?.partners[0]?.data)
  expect(
    await ledger.asMerchant(paidOut.getByMerchant, merchantId, { params: { payoutId: id } }),
  ).toMatchObject({
    value: { payout: { status: 'returned', reference: 'Payout 7', settledAt: expect.any(String) } },
  })
  const seen = read.ok ? read.value.payout : null
  expect(await ledger.asStaff(payouts.get, { params: { payoutId: id } })).toEqual({
    ok: true,
    value: { payout: { ...seen, address: null, transfer: null } },
  })
  expect(await sumsOf(customerId)).toEqual([6_000n, 0n])
  expect(await faults()).toEqual([])
})

test('answers an announced payout with every field', async () => {
  const { customerId, merchantId } = await newCustomer()
  const body = {
    customer_id: merchantId,
    amount_cents: 7,
    currency: 'EUR',
    scheduled_for: '2026-12-01T10:00:00Z',
  }
  const answer = await ledger.asStaff(payouts.announce, { body })
  expect(answer.ok && answer.value.payout).toEqual({
    payout_id: expect.stringMatching(/^pay_/),
    customer_id: merchantId,
    partner_customer_id: customerId,
    unit: 'EUR',
    currency: 'EUR',
    amount_cents: 7,
    status: 'upcoming',
    scheduled_for: '2026-12-01T10:00:00.000Z',
    created_at: expect.any(String),
    ...{ destination: null, schedule: null, sent_at: null, settled_at: null, returned_at: null },
    ...{ return_reason: null, reference: null, tx_id: null },
  })
})

test('cancels an upcoming payout without an event, and pays its entries with the next one', async () => {
  const { customerId, merchantId } = await newCustomer()
  await earn(customerId, 5_000n)
  const id = await announced(merchantId)
  expect(await step(id, 'cancelled')).toMatchObject({
    value: { payout: { status: 'cancelled', sent_at: null } },
  })
  expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['payout.upcoming'])
  expect(await sumsOf(customerId)).toEqual([5_000n, 0n])
  const next = await announced(merchantId)
  expect(await ledger.asStaff(payouts.get, { params: { payoutId: next } })).toMatchObject({
    value: { payout: { summary: { adjustments: 5_000, advance: 0, entry_count: 1 } } },
  })
  const listed = await ledger.asStaff(payouts.list, { query: { status: 'cancelled' } })
  expect(listed.ok && listed.value.payouts.map((payout) => payout.payout_id)).toContain(id)
  expect(await faults()).toEqual([])
})

test.each([
  [[], 'returned', 'upcoming'],
  [['sent'], 'sent', 'sent'],
  [['sent'], 'cancelled', 'sent'],
  [['sent', 'returned'], 'returned', 'returned'],
  [['cancelled'], 'sent', 'cancelled'],
  [['cancelled'], 'cancelled', 'cancelled'],
] as const)(
  'refuses after %j the step %s with both states, and changes nothing',
  async (before, name, from) => {
    const { customerId, merchantId } = await newCustomer()
    const id = await announced(merchantId)
    for (const each of before) await step(id, each)
    const [sums, count] = [await sumsOf(customerId), (await eventsOf(id)).length]
    expect(await step(id, name)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from, to: name }],
    })
    expect([await sumsOf(customerId), (await eventsOf(id)).length]).toEqual([sums, count])
  },
)

test('takes exactly one of the racing steps sent and cancelled', async () => {
  const { merchantId } = await newCustomer()
  const ids = await Promise.all(Array.from({ length: 8 }, () => announced(merchantId)))
  for (const id of ids) {
    const answers = await Promise.all([step(id, 'sent'), step(id, 'cancelled'), step(id, 'sent')])
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
  }
  expect(await faults()).toEqual([])
})

test('refuses steps of unknown payouts, and references and reasons that are too long or empty', async () => {
  const { merchantId } = await newCustomer()
  const id = await announced(merchantId)
  for (const name of Object.keys(STEPS))
    expect(await step(newId('payout'), name)).toEqual({ ok: false, code: 'resource_not_found' })
  const params = { payoutId: id }
  expect(await ledger.asStaff(payouts.get, { params: { payoutId: newId('payout') } })).toMatchObject({
    code: 'resource_not_found',
  })
  for (const body of [{ reference: 'x'.repeat(141) }, { tx_id: '' }, { reason: 'x' }])
    expect(await ledger.asStaff(payouts.markSent, { params, body })).toMatchObject({
      code: 'invalid_request',
    })
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
    expect(await ledger.asStaff(payouts.markReturned, { params, body })).toMatchObject({
      code: 'invalid_request',
    })
})

test('notifies no partner of a payout that it may not read', async () => {
  const { partnerId, customerId, merchantId } = await newCustomer(['wallets'])
  const id = await announced(merchantId)
  const state = ledger.onboarding.relate(
    { partner_id: partnerId, status: 'revoked', grants: ['payouts'], version: 2 },
    customerId,
  )
  await ledger.onboarding.publish(state)
  await eventually(
    async () =>
      (
        await ledger.sql("SELECT FROM relationships WHERE merchant_id = $1 AND status = 'revoked'", [
          merchantId,
        ])
      ).length === 1,
  )
  await step(id, 'sent')
  expect((await eventsOf(id)).map(({ name, partners }) => [name, partners])).toEqual([
    ['payout.upcoming', []],
    ['payout.sent', []],
  ])
})
