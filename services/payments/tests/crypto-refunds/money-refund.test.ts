import { newId, refuse } from '@causeway/chassis'
import { cryptoOrders, unattributedMoney, type UnattributedMoney } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startForTests, type RunningPayments } from '../running-payments.ts'
import { CHEAP, REQUESTED, SENT, serveSigner } from './fake-signer.ts'

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ANOTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ETH_TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ASK_AGAIN_MS = 2_000
const staff = { kind: 'operator' as const, actor: 'staff' }

let payments: RunningPayments
let signer: ReturnType<typeof serveSigner>
beforeAll(async () => {
  payments = await startForTests({ cryptoRefunds: 'signer' })
  signer = serveSigner(payments)
})
afterAll(() => payments.stop())
beforeEach(() => {
  signer.said = REQUESTED
  signer.estimated = CHEAP
})

const refund = (id: string, body: object = {}) =>
  payments.ask(unattributedMoney.refund, staff, {
    params: { unattributedMoneyId: id },
    body: { to_address: TO, ...body },
  })
const plan = (id: string, query: { to_address?: string } = {}) =>
  payments.ask(unattributedMoney.getRefundPlan, staff, { params: { unattributedMoneyId: id }, query })
const readWithRefund = async (id: string) => {
  const answer = await payments.ask(unattributedMoney.get, staff, { params: { unattributedMoneyId: id } })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}
const read = async (id: string): Promise<UnattributedMoney> => (await readWithRefund(id)).unattributed_money
/** Waits until so many amounts of an order are listed as open, the oldest first. */
const listed = async (orderId: string, count: number): Promise<UnattributedMoney[]> => {
  let rows: UnattributedMoney[] = []
  await payments.eventually(async () => {
    const answer = await payments.ask(unattributedMoney.list, staff, { query: { limit: '100' } })
    if (!answer.ok) throw new Error(answer.code)
    rows = answer.value.unattributed_money.filter(({ order_id }) => order_id === orderId)
    expect(rows).toHaveLength(count)
  })
  return rows
}
const only = (rows: readonly UnattributedMoney[]): UnattributedMoney => {
  const [row] = rows
  if (row === undefined) throw new Error('Nothing is listed')
  return row
}
/** Waits until payments has asked the signer again and the amount has this state. */
const becomes = (id: string, expected: object) =>
  payments.eventually(async () => {
    payments.clock.advance(ASK_AGAIN_MS)
    expect(await read(id)).toMatchObject(expected)
  })

const newOrder = async (change: Parameters<RunningPayments['newOrder']>[2] = {}) => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId, { amount: 30, ...change })
  return { partner, customerId, order }
}
/** A second payment of a paid order, and the transaction that made it. */
const newSecond = async () => {
  const { partner, customerId, order } = await newOrder()
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  const { tx_id: txId } = await payments.deposit(order.id, '0.0003')
  return { partner, customerId, order, txId, money: only(await listed(order.id, 1)) }
}

/** The facts for the ledger about what was sent back of an order. */
const factsOf = async (orderId: string) =>
  (await payments.events())
    .flatMap(({ ledger_facts: facts = [] }) => facts)
    .filter(({ kind, order_id: of }) => kind === 'crypto_refunded' && of === orderId)

describe('an amount that counts for no order', () => {
  test('is sent back by the signer from its own deposit, and leaves the list once the chain has confirmed it', async () => {
    const { partner, customerId, order, txId, money } = await newSecond()
    const id = money.unattributed_money_id
    expect((await readWithRefund(id)).refund).toBeUndefined()
    expect(await plan(id)).toEqual({
      ok: true,
      value: {
        plan: {
          sent_by: 'signer',
          network: 'BTC',
          asset: 'BTC',
          from_address: order.address,
          amount: '0.0003',
          arrives: '0.0004',
          network_fee: '0.00001',
          fee_asset: 'BTC',
          obstacle: null,
        },
      },
    })
    expect(await refund(id)).toMatchObject({
      ok: true,
      value: {
        unattributed_money: { status: 'refunding', ended_by: null },
        refund: {
          order_id: order.id,
          unattributed_money_id: id,
          from_address: order.address,
          to_address: TO,
          amount: '0.0003',
          status: 'requested',
        },
      },
    })
    signer.said = { ...SENT, status: 'confirmed' }
    await becomes(id, { status: 'ended', ended_by: 'refund', ended_tx_id: 'tx' })
    expect((await readWithRefund(id)).refund).toMatchObject({
      unattributed_money_id: id,
      to_address: TO,
      status: 'confirmed',
      tx_id: 'tx',
    })
    expect(signer.askedOf(order.id)[0]).toMatchObject({
      unattributed_money_id: id,
      network: 'BTC',
      asset: 'BTC',
      address: order.address,
      to_address: TO,
      amount: '0.0003',
      coins: [{ tx_id: txId, output_index: 0 }],
    })
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'paid' } } })
    expect(await listed(order.id, 0)).toEqual([])
    expect(await factsOf(order.id)).toEqual([
      {
        kind: 'crypto_refunded',
        fact_id: expect.stringMatching(/^crypto_refunded:rfd_/),
        at: expect.any(String),
        order_id: order.id,
        partner_customer_id: customerId,
        network: 'BTC',
        asset: 'BTC',
        bucket: 'excess',
        amount: SENT.amount,
        network_fee: { asset: 'BTC', amount: SENT.network_fee, paid_from: 'deposits', borne_by: 'bucket' },
      },
    ])
    expect(await refund(id)).toMatchObject({ ok: true, value: { unattributed_money: { status: 'ended' } } })
  })

  test("is sent back in its own asset when it differs from its order's", async () => {
    const { order } = await newOrder({ network: 'ETH', asset: 'ETH' })
    await payments.deposit(order.id, '12.5', undefined, 'USDC')
    const money = only(await listed(order.id, 1))
    expect(money).toMatchObject({ kind: 'foreign', unit: 'ETH/USDC', amount: '12.5' })
    expect(await refund(money.unattributed_money_id, { to_address: ETH_TO })).toMatchObject({
      ok: true,
      value: { refund: { asset: 'USDC', network: 'ETH', amount: '12.5' } },
    })
    payments.clock.advance(ASK_AGAIN_MS)
    await payments.eventually(async () =>
      expect(signer.askedOf(order.id)[0]).toMatchObject({ asset: 'USDC', amount: '12.5', coins: [] }),
    )
    expect(await factsOf(order.id)).toEqual([])
    signer.said = { ...SENT, amount: '12.5', status: 'confirmed' }
    await becomes(money.unattributed_money_id, { status: 'ended' })
    expect(await factsOf(order.id)).toMatchObject([
      {
        asset: 'USDC',
        bucket: 'foreign',
        amount: '12.5',
        network_fee: { asset: 'ETH', borne_by: 'platform' },
      },
    ])
  })

  test('returns to the list when the refund fails, and can be sent elsewhere', async () => {
    const { money } = await newSecond()
    const id = money.unattributed_money_id
    await refund(id)
    signer.said = refuse('limit_reached', [{ reason: 'limit_reached' }])
    await becomes(id, { status: 'open', ended_by: null })
    expect((await readWithRefund(id)).refund).toMatchObject({ status: 'failed', failure: 'limit_reached' })
    signer.said = REQUESTED
    expect(await refund(id, { to_address: ANOTHER })).toMatchObject({
      ok: true,
      value: { refund: { to_address: ANOTHER } },
    })
  })

  test('returns to the list after a quarter of an hour when its approval never came', async () => {
    const { money } = await newSecond()
    signer.said = refuse('not_refundable', [{ reason: 'not_approved' }])
    await refund(money.unattributed_money_id)
    payments.clock.advance(15 * 60_000)
    await becomes(money.unattributed_money_id, { status: 'open' })
  })

  test('is sent once when 32 requests race, and a different request is refused', async () => {
    const { order, money } = await newSecond()
    const id = money.unattributed_money_id
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, at) => refund(id, { to_address: at % 2 === 0 ? TO : ANOTHER })),
    )
    const accepted = answers.flatMap((answer) => (answer.ok ? [answer.value.refund?.refund_id] : []))
    expect(accepted).toHaveLength(16)
    expect(new Set(accepted).size).toBe(1)
    for (const answer of answers)
      if (!answer.ok)
        expect(answer).toMatchObject({ code: 'invalid_state', details: [{ from: 'refunding' }] })
    const first = answers.find((answer) => answer.ok)
    const to = first?.ok === true ? first.value.refund?.to_address : ''
    const expected = { amount: '0.0003', from_address: order.address }
    expect(await refund(id, { to_address: to, expected })).toMatchObject({ ok: true })
    for (const other of [{ amount: '0.0002' }, { from_address: ANOTHER }])
      expect(await refund(id, { to_address: to, expected: { ...expected, ...other } })).toMatchObject({
        ok: false,
        code: 'invalid_state',
      })
    payments.clock.advance(ASK_AGAIN_MS)
    await payments.eventually(async () => expect(signer.askedOf(order.id).length).toBeGreaterThan(0))
    expect(new Set(signer.askedOf(order.id).map(({ refund_id }) => refund_id)).size).toBe(1)
  })

  test('is refused with the reason when the signer cannot send it, and recorded by hand', async () => {
    const { order, money } = await newSecond()
    const id = money.unattributed_money_id
    signer.estimated = refuse('not_refundable', [{ reason: 'unsupported' }])
    expect(await refund(id)).toEqual(signer.estimated)
    expect(await plan(id)).toMatchObject({ value: { plan: { obstacle: 'unsupported' } } })
    expect(await refund(id, { sent_by_hand: true, tx_id: 'mine' })).toMatchObject({
      ok: true,
      value: { unattributed_money: { status: 'ended', ended_by: 'refund', ended_tx_id: 'mine' } },
    })
    expect(await refund(id)).toMatchObject({ ok: false, code: 'invalid_state' })
    expect(signer.askedOf(order.id)).toEqual([])
    expect(await factsOf(order.id)).toMatchObject([
      { bucket: 'excess', amount: money.amount, network_fee: { amount: '0' } },
    ])
  })

  test('is not sent to an address of the platform, and an unknown one is not found', async () => {
    const { order, money } = await newSecond()
    expect(await refund(money.unattributed_money_id, { to_address: order.address })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'to_address', reason: 'forbidden_address' }],
    })
    for (const [to_address, reason] of [
      [order.address, 'forbidden_address'],
      ['nowhere', 'invalid_value'],
    ] as const)
      expect(await plan(money.unattributed_money_id, { to_address })).toMatchObject({
        code: 'invalid_request',
        details: [{ field: 'to_address', reason }],
      })
    expect(await refund(newId('unattributedMoney'))).toEqual({ ok: false, code: 'resource_not_found' })
  })
})

describe('a cancelled order with one refunded deposit', () => {
  test('is refunded with the rest, and never twice', async () => {
    const { partner, order } = await newOrder()
    await payments.cancel(partner, order.id)
    await payments.deposit(order.id, '0.0002')
    await payments.deposit(order.id, '0.0001')
    const rows = await listed(order.id, 2)
    const small = rows.find(({ amount }) => amount === '0.0001')
    if (small === undefined) throw new Error('The smaller deposit is not listed')
    await refund(small.unattributed_money_id)
    const ask = () =>
      payments.ask(cryptoOrders.refund, staff, { params: { orderId: order.id }, body: { to_address: TO } })
    expect(await ask()).toMatchObject({ ok: true, value: { refund: { amount: '0.0002' } } })
    signer.said = { ...SENT, status: 'confirmed' }
    await becomes(small.unattributed_money_id, { status: 'ended', ended_by: 'refund' })
    await payments.becomes(partner, order.id, 'refunded')
    expect(await listed(order.id, 0)).toEqual([])
    const large = rows.find(({ amount }) => amount === '0.0002')
    expect((await readWithRefund(large?.unattributed_money_id ?? '')).refund).toMatchObject({
      unattributed_money_id: null,
      amount: SENT.amount,
      status: 'confirmed',
    })
    const amounts = new Map(signer.askedOf(order.id).map((each) => [each.refund_id, each.amount]))
    expect([...amounts.values()].sort()).toEqual(['0.0001', '0.0002'])
  })
})
