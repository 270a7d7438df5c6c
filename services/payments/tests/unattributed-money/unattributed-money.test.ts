import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { unattributedMoney, type UnattributedMoney } from '@causeway/contracts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const operator = { kind: 'operator' as const, actor: 'test' }
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

type Query = { status?: string; kind?: string; limit?: string; cursor?: string }
const pageOf = async (query: Query = {}) => {
  const outcome = await payments.ask(unattributedMoney.list, operator, { query })
  if (!outcome.ok) throw new Error(`Not listed: ${outcome.code}`)
  return outcome.value
}
const listed = async (orderId: string, query: Query = {}): Promise<UnattributedMoney[]> =>
  (await pageOf({ limit: '100', ...query })).unattributed_money.filter((row) => row.order_id === orderId)
/** Waits until this is what is listed of an order. */
const becomesListed = (orderId: string, expected: readonly string[], query: Query = {}) =>
  eventually(async () => {
    const rows = await listed(orderId, query)
    const words = rows.map(
      ({ kind, amount, unit, ended_by: end }) => `${kind} ${amount} ${unit} ${end ?? 'open'}`,
    )
    if (words.sort().join() !== [...expected].sort().join()) throw new Error(`Listed: ${words.join()}`)
    return rows
  })
/** The moves of an order's deposits, each as the buckets that changed. */
const movesOf = async (orderId: string) =>
  (await payments.events()).flatMap(({ name, partners, merchant, fact }) => {
    if (fact?.kind !== 'deposit_move' || fact.deposit_move.order_id !== orderId) return []
    expect({ name, partners, merchant }).toEqual({ name: 'deposit.moved', partners: [], merchant: null })
    const { open, applied, excess, late, foreign, asset } = fact.deposit_move
    const parts = Object.entries({ open, applied, excess, late, foreign }).filter(
      ([, amount]) => amount !== '0',
    )
    return [`${asset}: ${parts.map(([bucket, amount]) => `${bucket} ${amount}`).join(', ')}`]
  })
const newOrder = async (change: Parameters<RunningPayments['newOrder']>[2] = {}) => {
  const { partner, customerId } = payments.newCustomer()
  return {
    partner,
    customerId,
    order: await payments.newOrder(partner, customerId, { amount: 30, ...change }),
  }
}

describe('money that counts for no order', () => {
  it('lists what a paid order received beyond its amount, and a second payment', async () => {
    const { partner, customerId, order } = await newOrder()
    await payments.deposit(order.id, '0.0001')
    await payments.becomes(partner, order.id, 'underpaid')
    const { tx_id: txId } = await payments.deposit(order.id, '0.0006')
    await payments.becomes(partner, order.id, 'paid')
    const [excess] = await becomesListed(order.id, ['excess 0.0002 BTC/BTC open'])
    expect(excess).toEqual({
      unattributed_money_id: expect.stringMatching(/^umy_/),
      kind: 'excess',
      unit: 'BTC/BTC',
      amount: '0.0002',
      order_id: order.id,
      order_key: null,
      order_status: 'paid',
      reference: order.reference,
      customer_id: payments.onboarding.merchantOf(customerId),
      partner_id: partner.partnerId,
      partner_customer_id: customerId,
      network: 'BTC',
      address: order.address,
      sender: null,
      tx_id: txId,
      output_index: 0,
      block_number: expect.any(Number),
      processor: null,
      processor_order_id: null,
      received_at: payments.clock.now().toISOString(),
      status: 'open',
      ended_by: null,
      ended_at: null,
      reason: null,
      ended_tx_id: null,
    })
    await payments.deposit(order.id, '0.0005')
    await becomesListed(order.id, ['excess 0.0002 BTC/BTC open', 'second 0.0005 BTC/BTC open'])
    expect(await movesOf(order.id)).toEqual([
      'BTC: open 0.0001',
      'BTC: open -0.0001, applied 0.0001',
      'BTC: applied 0.0004, excess 0.0002',
      'BTC: excess 0.0005',
    ])
    const params = { unattributedMoneyId: excess?.unattributed_money_id }
    expect(await payments.ask(unattributedMoney.get, operator, { params })).toEqual({
      ok: true,
      value: { unattributed_money: excess },
    })
  })

  it('lists another asset at the address of an order, which stays unchanged', async () => {
    const { partner, order } = await newOrder({ network: 'ETH', asset: 'USDC' })
    await payments.deposit(order.id, '0.000000000000000007', 144, 'ETH')
    await payments.deposit(order.id, '5', 144, 'USDT')
    await becomesListed(order.id, ['foreign 0.000000000000000007 ETH/ETH open', 'foreign 5 ETH/USDT open'])
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
    expect(await payments.readByBuyer(order.id)).toMatchObject({
      value: { order: { received: '0', unconfirmed: '0' } },
    })
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    await payments.reorganise('ETH', 3)
    await payments.becomes(partner, order.id, 'pending')
    await becomesListed(order.id, [])
    await payments.mine('ETH', 12)
    await payments.becomes(partner, order.id, 'paid')
    await becomesListed(order.id, ['foreign 0.000000000000000007 ETH/ETH open', 'foreign 5 ETH/USDT open'])
    await becomesListed(
      order.id,
      ['foreign 0.000000000000000007 ETH/ETH reverted', 'foreign 5 ETH/USDT reverted'],
      { status: 'ended', kind: 'foreign' },
    )
    expect((await payments.eventsOf(order.id)).map(({ name }) => name)).toEqual([
      'payment.pending',
      'payment.confirmed',
      'payment.reverted',
      'payment.confirmed',
    ])
  })

  it('removes late money from the list when a later deposit pays the order', async () => {
    const { partner, order } = await newOrder()
    payments.clock.advance(12 * HOUR_MS)
    await payments.becomes(partner, order.id, 'expired')
    await payments.deposit(order.id, '0.0002')
    await becomesListed(order.id, ['late 0.0002 BTC/BTC open'], { kind: 'late' })
    await payments.deposit(order.id, '0.0004')
    await payments.becomes(partner, order.id, 'paid')
    await becomesListed(order.id, ['excess 0.0001 BTC/BTC open'])
    await becomesListed(order.id, ['late 0.0002 BTC/BTC counted'], { status: 'ended' })
    expect(await movesOf(order.id)).toEqual([
      'BTC: late 0.0002',
      'BTC: applied 0.0002, late -0.0002',
      'BTC: applied 0.0003, excess 0.0001',
    ])
  })

  it('keeps the row of a second payment when a reorganisation makes it the one that pays', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    await payments.deposit(order.id, '0.0006')
    const [second] = await becomesListed(order.id, ['second 0.0006 BTC/BTC open'])
    await payments.reorganise('BTC', 2)
    await becomesListed(order.id, [])
    await payments.deposit(order.id, '0.0006')
    const [again] = await becomesListed(order.id, ['excess 0.0001 BTC/BTC open'])
    expect(again?.unattributed_money_id).not.toBe(second?.unattributed_money_id)
    await payments.becomes(partner, order.id, 'paid')
  })

  it('ends late money when its return is recorded', async () => {
    const { partner, order } = await newOrder()
    await payments.cancel(partner, order.id)
    await payments.deposit(order.id, '0.0003')
    await becomesListed(order.id, ['late 0.0003 BTC/BTC open'])
    await payments.refund(order.id, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')
    await becomesListed(order.id, [])
    await becomesListed(order.id, ['late 0.0003 BTC/BTC refund'], { status: 'ended' })
    await payments.deposit(order.id, '0.0004')
    await becomesListed(order.id, ['late 0.0004 BTC/BTC open'])
  })
})

it('returns unattributed money to staff page by page, oldest first, with a cursor bound to its filter', async () => {
  const { unattributed_money: all, next_cursor: end } = await pageOf({ limit: '100' })
  expect(end).toBe(null)
  const walked: UnattributedMoney[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf({
      limit: '1',
      ...(cursor !== '' && { cursor }),
    })
    walked.push(...page.unattributed_money)
    cursor = page.next_cursor
  }
  expect(walked).toEqual(all)
  expect(all.length).toBeGreaterThan(3)
  const { next_cursor: ofAll } = await pageOf({ limit: '1' })
  const query = { kind: 'late', cursor: ofAll ?? '' }
  expect(await payments.ask(unattributedMoney.list, operator, { query })).toEqual({
    ok: false,
    code: 'invalid_cursor',
  })
  const { partner } = payments.newCustomer()
  expect(await payments.ask(unattributedMoney.list, partner, { query: {} })).toMatchObject({ ok: false })
  const params = { unattributedMoneyId: 'umy_01m802r5s4f68ahq5s8g06rx5p' }
  expect(await payments.ask(unattributedMoney.get, operator, { params })).toMatchObject({
    code: 'resource_not_found',
  })
})
