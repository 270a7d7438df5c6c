import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { balanceEntries, type BalanceEntry } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { postFacts } from '../../src/posting/post-facts.ts'
import { deposited, disputed, paid, refunded } from '../fixtures/facts.ts'
import { startForTests, type RunningLedger } from '../running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const DAY_MS = 86_400_000
const inDays = (days: number): string => new Date(ledger.clock.nowMs() + days * DAY_MS).toISOString()
/** Facts of one order of a relationship, with separate ids. */
const ofOrder = (owner: Owner, orderKey = String((orders += 1))) => ({
  partner_id: owner.partner_id,
  partner_customer_id: owner.partner_customer_id,
  order_key: orderKey,
  order_id: newId('fiatOrder'),
  fact_id: newId('event'),
  available_at: inDays(2),
})
let orders = 1_000
type Owner = Readonly<{ partner_id: string; partner_customer_id: string; customer_id: string }>

const postAt = (at: string, ...facts: Parameters<typeof postFacts>[1]) =>
  postFacts({ db: ledger.db, clock: { now: () => new Date(at) } }, facts)

const ask = (owner: Owner, query: Record<string, string> = {}) =>
  ledger.asPartner(balanceEntries.list, owner.partner_id, {
    params: { customerId: owner.partner_customer_id },
    query,
  })
const entriesOf = async (owner: Owner, query: Record<string, string> = {}): Promise<BalanceEntry[]> => {
  const answer = await ask(owner, query)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.balance_entries
}
const shown = (entries: readonly BalanceEntry[]) =>
  entries.map(({ balance, kind, amount, balance_after: after }) => `${balance} ${kind} ${amount} ${after}`)

test('lists the entries of a customer newest first, each with the balance after it', async () => {
  const owner = ledger.onboarding.relate()
  const order = ofOrder(owner)
  const times = { at: inDays(-3), available_at: inDays(-1) }
  await postFacts(ledger, [paid({ ...order, ...times })])
  const refund = refunded({
    ...order,
    fact_id: newId('event'),
    at: inDays(0),
    available_at: times.available_at,
  })
  await postFacts(ledger, [refund])
  const entries = await entriesOf(owner)
  expect(shown(entries)).toEqual([
    'available refund -4000 5750',
    'available service_fee -250 9750',
    'pending release 250 0',
    'available payment 10000 10000',
    'pending release -10000 -250',
    'pending service_fee -250 9750',
    'pending payment 10000 10000',
  ])
  expect(entries[0]).toEqual({
    entry_id: expect.stringMatching(/^ent_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    kind: 'refund',
    unit: 'EUR',
    balance: 'available',
    amount: -4_000,
    balance_after: 5_750,
    order_key: order.order_key,
    order_id: order.order_id,
    payout_id: null,
    reverses: null,
    estimated: false,
    effective_at: refund.at,
    recorded_at: expect.any(String),
  })
  expect(new Set(entries.map(({ entry_id: id }) => id)).size).toBe(7)
})

test('names the entry that a reversal takes back', async () => {
  const owner = ledger.onboarding.relate()
  const order = ofOrder(owner)
  const dispute = disputed({ ...order, estimated: true, fee: null })
  await postFacts(ledger, [dispute])
  await postFacts(ledger, [
    { ...dispute, fact_id: newId('event'), estimated: false, reverses: dispute.fact_id },
  ])
  const [reversal, original] = await entriesOf(owner)
  expect(reversal).toMatchObject({ kind: 'dispute_reversed', amount: 6_000, reverses: original?.entry_id })
  expect(original).toMatchObject({ kind: 'dispute', amount: -6_000, reverses: null, estimated: true })
})

test('writes amounts of crypto as decimals of the asset, with a sign', async () => {
  const owner = ledger.onboarding.relate()
  const move = { partner_customer_id: owner.partner_customer_id, open: '0' }
  await postFacts(ledger, [deposited({ ...move, fact_id: newId('event'), applied: '0.5' })])
  await postFacts(ledger, [deposited({ ...move, fact_id: newId('event'), applied: '-0.20000001' })])
  expect(shown(await entriesOf(owner))).toEqual([
    'available deposit_reverted -0.20000001 0.29999999',
    'available deposit 0.5 0.5',
  ])
})

describe('pages', () => {
  test.each([{}, { kind: 'payment' }, { balance: 'pending' }])(
    'continue at two entries a page without a gap or a repetition, with the filter %o',
    async (filter: Record<string, string>) => {
      const owner = ledger.onboarding.relate()
      for (let count = 0; count < 3; count += 1)
        await postFacts(ledger, [
          paid({ ...ofOrder(owner), at: inDays(-3), available_at: inDays(-1) }),
          deposited({ ...ofOrder(owner), open: '0', applied: '0.5' }),
        ])
      const whole = await entriesOf(owner, filter)
      const found: string[] = []
      let before: string | null | undefined
      while (before !== null) {
        const answer = await ask(owner, { ...filter, limit: '2', ...(before !== undefined && { before }) })
        if (!answer.ok) throw new Error(answer.code)
        found.push(...answer.value.balance_entries.map(({ entry_id: id }) => id))
        before = answer.value.next_cursor
      }
      expect(whole.length).toBeGreaterThan(5)
      expect(found).toEqual(whole.map(({ entry_id: id }) => id))
    },
  )

  test('refuse a cursor of another list', async () => {
    const owner = ledger.onboarding.relate()
    for (let count = 0; count < 2; count += 1) await postFacts(ledger, [paid(ofOrder(owner))])
    const answer = await ask(owner, { limit: '1' })
    const before = (answer.ok && answer.value.next_cursor) || ''
    expect((await ask(owner, { before })).ok).toBe(true)
    for (const query of [{ before, kind: 'payment' }, { before: `${before}x` }, { before: 'x' }])
      expect(await ask(owner, query)).toMatchObject({ code: 'invalid_cursor' })
  })
})

describe('filters', () => {
  let owner: ReturnType<RunningLedger['onboarding']['relate']>
  const [first, second] = [newId('fiatOrder'), newId('fiatOrder')]
  beforeAll(async () => {
    owner = ledger.onboarding.relate()
    const early = paid({ ...ofOrder(owner, '77001'), order_id: first })
    const late = paid({ ...ofOrder(owner, '77002'), order_id: second, currency: 'JPY' })
    const other = paid({ ...ofOrder(ledger.onboarding.relate()), order_key: '77003' })
    const start = ledger.clock.nowMs() + 60_000
    const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
    times = [at(0), at(10)]
    await postAt(at(0), early)
    await postAt(at(10), late, other)
  })
  let times: [string, string]

  test.each<[string, () => Record<string, string>, number]>([
    ['a unit', () => ({ unit: 'JPY' }), 2],
    ['a unit without entries', () => ({ unit: 'ETH/USDC' }), 0],
    ['a kind', () => ({ kind: 'service_fee' }), 2],
    ['a balance', () => ({ balance: 'available' }), 0],
    ['since its own instant', () => ({ since: times[1] }), 2],
    ['until its own instant', () => ({ until: times[1] }), 2],
    ['since after all', () => ({ since: new Date(Date.parse(times[1]) + 1).toISOString() }), 0],
    ['an order’s key', () => ({ order_key: '77001' }), 2],
    ['an order’s id', () => ({ order_id: second }), 2],
    ['the key and the id of two orders', () => ({ order_key: '77001', order_id: second }), 0],
    ['an order and another kind', () => ({ order_id: second, kind: 'refund' }), 0],
    ['an order before it was recorded', () => ({ order_id: second, until: times[1] }), 0],
    ['another owner’s order', () => ({ order_key: '77003' }), 0],
    ['a payout', () => ({ payout_id: newId('payout') }), 0],
  ])('select exactly the matching entries by %s', async (_, query, count) => {
    const found = await entriesOf(owner, query())
    expect(found).toHaveLength(count)
  })

  test.each([
    { unit: 'XYZ' },
    { unit: 'ETH/BTC' },
    { kind: 'gift' },
    { balance: 'spent' },
    { since: 'today' },
  ])('are refused for an unknown value: %o', async (query: Record<string, string>) => {
    expect(await ask(owner, query)).toMatchObject({ code: 'invalid_request' })
  })
})

test('shows no partner the entries of another partner’s relationship with the same merchant', async () => {
  const merchant = newId('merchant')
  const one = ledger.onboarding.relate({ customer_id: merchant })
  const other = ledger.onboarding.relate({ customer_id: merchant })
  const ungranted = ledger.onboarding.relate({ grants: ['payouts'] })
  const order = ofOrder(one)
  await postFacts(ledger, [paid({ ...order, partner_fee_cents: 30 }), paid(ofOrder(other))])
  const asOther = { ...one, partner_id: other.partner_id }
  expect(await ask(asOther)).toMatchObject({ code: 'resource_not_found' })
  expect(await ask(ungranted)).toMatchObject({ code: 'capability_not_enabled' })
  expect(await entriesOf(other, { order_key: order.order_key })).toEqual([])
  const own = async (partner: string) => {
    const answer = await ledger.asPartner(balanceEntries.listOwn, partner, { query: {} })
    return answer.ok ? shown(answer.value.balance_entries) : answer.code
  }
  expect(await own(one.partner_id)).toEqual(['pending partner_fee 30 30'])
  expect(await own(other.partner_id)).toEqual([])
  for (const state of [one, other]) await ledger.onboarding.publish(state)
  const listed = await eventually(async () => {
    const answer = await ledger.asMerchant(balanceEntries.listByMerchant, merchant, { query: {} })
    return answer.ok && answer.value.balanceEntries.length === 5 && answer.value.balanceEntries
  })
  expect(new Set(listed.map((entry) => entry.partnerCustomerId))).toEqual(
    new Set([one.partner_customer_id, other.partner_customer_id]),
  )
})
