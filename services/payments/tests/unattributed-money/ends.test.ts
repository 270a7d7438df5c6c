import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { unattributedMoney, type UnattributedMoney } from '@causeway/contracts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const UNKNOWN_ID = 'umy_01m802r5s4f68ahq5s8g06rx5p'
const operator = { kind: 'operator' as const, actor: 'test' }
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const forgetSplit = queryNone({
  name: 'test.forget-split',
  parameters: { orderId: 'text' },
  text: `
    UPDATE crypto_deposits SET open_amount = NULL, applied_amount = NULL, excess_amount = NULL, late_amount = NULL,
      foreign_amount = NULL
    WHERE order_id = :orderId`,
})
const forgetMoney = queryNone({
  name: 'test.forget-money',
  parameters: { orderId: 'text' },
  text: 'DELETE FROM unattributed_money WHERE order_id = :orderId',
})
const hold = queryNone({
  name: 'test.hold',
  parameters: { orderId: 'text', onrampOrderId: 'text?' },
  text: 'UPDATE crypto_orders SET onramp_order_id = :onrampOrderId WHERE id = :orderId',
})

const listed = async (orderId: string, status = 'open'): Promise<UnattributedMoney[]> => {
  const outcome = await payments.ask(unattributedMoney.list, operator, { query: { status, limit: '100' } })
  if (!outcome.ok) throw new Error(`Not listed: ${outcome.code}`)
  return outcome.value.unattributed_money.filter((row) => row.order_id === orderId)
}
/** Waits for the one amount that is listed of an order. */
const oneOf = (orderId: string, kind: string): Promise<UnattributedMoney> =>
  eventually(async () => {
    const rows = await listed(orderId)
    return rows.length === 1 && rows[0]?.kind === kind && rows[0]
  })
const end = (how: 'apply' | 'keep' | 'handled', id: string, body: unknown) =>
  payments.ask(unattributedMoney[how], operator, { params: { unattributedMoneyId: id }, body })
const movesOf = async (orderId: string) =>
  (await payments.events()).flatMap(({ fact }) => {
    if (fact?.kind !== 'deposit_move' || fact.deposit_move.order_id !== orderId) return []
    const { open, applied, excess, late, foreign } = fact.deposit_move
    const parts = Object.entries({ open, applied, excess, late, foreign }).filter(
      ([, amount]) => amount !== '0',
    )
    return [parts.map(([bucket, amount]) => `${bucket} ${amount}`).join(', ')]
  })
const newOrder = async (change: Parameters<RunningPayments['newOrder']>[2] = {}) => {
  const { partner, customerId } = payments.newCustomer()
  return { partner, order: await payments.newOrder(partner, customerId, { amount: 30, ...change }) }
}
const newLate = async (amount: string) => {
  const { partner, order } = await newOrder()
  await payments.cancel(partner, order.id)
  await payments.deposit(order.id, amount)
  return { partner, order, late: await oneOf(order.id, 'late') }
}

describe('unattributed money ended by staff', () => {
  it('makes a cancelled order paid when late money is applied, with its event, although an amount is missing', async () => {
    const { partner, order, late } = await newLate('0.0003')
    const id = late.unattributed_money_id
    const consent = { merchant_consent: 'By mail of 2026-11-24' }
    const applied = await end('apply', id, consent)
    expect(applied).toMatchObject({
      ok: true,
      value: {
        unattributed_money: {
          unattributed_money_id: id,
          order_status: 'paid',
          status: 'ended',
          ended_by: 'applied',
          reason: consent.merchant_consent,
        },
      },
    })
    expect(await end('apply', id, consent)).toEqual(applied)
    expect(await end('keep', id, { reason: 'Too little' })).toMatchObject({
      code: 'invalid_state',
      details: [{ from: 'applied', to: 'kept' }],
    })
    await payments.becomes(partner, order.id, 'paid')
    expect((await payments.eventsOf(order.id)).at(-1)).toMatchObject({
      name: 'payment.confirmed',
      partners: [{ data: { status: 'paid', tx_id: late.tx_id, received: '0.0003' } }],
    })
    await payments.deposit(order.id, '0.0004')
    await oneOf(order.id, 'excess')
    expect(await movesOf(order.id)).toEqual([
      'late 0.0003',
      'applied 0.0003, late -0.0003',
      'applied 0.0002, excess 0.0002',
    ])
  })

  it('stays with the merchant without an event when the surplus of a paid order is applied', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id, '0.0007')
    await payments.becomes(partner, order.id, 'paid')
    const { unattributed_money_id: id } = await oneOf(order.id, 'excess')
    const before = (await payments.eventsOf(order.id)).length
    expect(await end('apply', id, { merchant_consent: 'A tip' })).toMatchObject({ ok: true })
    expect(await listed(order.id)).toEqual([])
    expect(await payments.eventsOf(order.id)).toHaveLength(before)
    expect(await movesOf(order.id)).toEqual([
      'applied 0.0005, excess 0.0002',
      'applied 0.0002, excess -0.0002',
    ])
  })

  it('makes the order paid when another asset is applied, and expired when the chain reverts it', async () => {
    const { partner, order } = await newOrder({ network: 'ETH', asset: 'USDC' })
    await payments.deposit(order.id, '33', 144, 'USDT')
    const { unattributed_money_id: id } = await oneOf(order.id, 'foreign')
    expect(await end('apply', id, { merchant_consent: 'USDT will do' })).toMatchObject({ ok: true })
    await payments.becomes(partner, order.id, 'paid')
    await payments.reorganise('ETH', 1)
    await payments.becomes(partner, order.id, 'expired')
    await payments.mine('ETH', 12)
    await payments.becomes(partner, order.id, 'paid')
    expect(await listed(order.id)).toEqual([])
  })

  it('never counts towards the order again when it is kept', async () => {
    const { partner, order } = await newOrder()
    payments.clock.advance(12 * HOUR_MS)
    await payments.becomes(partner, order.id, 'expired')
    await payments.deposit(order.id, '0.0002')
    const { unattributed_money_id: id } = await oneOf(order.id, 'late')
    const kept = await end('keep', id, { reason: 'The payer does not answer' })
    expect(kept).toMatchObject({
      value: {
        unattributed_money: {
          status: 'ended',
          ended_by: 'kept',
          ended_at: payments.clock.now().toISOString(),
          reason: 'The payer does not answer',
        },
      },
    })
    expect(await end('keep', id, { reason: 'Another reason' })).toEqual(kept)
    await payments.deposit(order.id, '0.0004')
    const { amount } = await oneOf(order.id, 'late')
    expect(amount).toBe('0.0004')
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'expired' } } })
  })

  it('is handled by hand, with the transaction that sent it elsewhere', async () => {
    const { late } = await newLate('0.0001')
    const id = late.unattributed_money_id
    expect(await end('handled', id, { reason: 'Sent by the treasury', tx_id: 'ab12' })).toMatchObject({
      value: { unattributed_money: { ended_by: 'handled', ended_tx_id: 'ab12' } },
    })
    expect(await end('apply', id, { merchant_consent: 'Yes' })).toMatchObject({
      code: 'invalid_state',
      details: [{ from: 'handled', to: 'applied' }],
    })
  })

  it('is ended in only one way by two concurrent requests', async () => {
    const { late } = await newLate('0.0001')
    const id = late.unattributed_money_id
    const outcomes = await Promise.all([
      end('keep', id, { reason: 'One' }),
      end('handled', id, { reason: 'Other' }),
      end('apply', id, { merchant_consent: 'Yes' }),
    ])
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code)).sort()).toEqual([
      'invalid_state',
      'invalid_state',
      'ok',
    ])
  })

  it('is refused with a missing reason, another order, or an unknown amount', async () => {
    const { late } = await newLate('0.0001')
    const { order: other } = await newOrder()
    const id = late.unattributed_money_id
    expect(await end('keep', id, {})).toMatchObject({ code: 'invalid_request' })
    expect(await end('apply', id, { merchant_consent: 'Yes', order_id: other.id })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'order_id', reason: 'invalid_value' }],
    })
    for (const [how, body] of [
      ['keep', { reason: 'One' }],
      ['handled', { reason: 'One' }],
      ['apply', { merchant_consent: 'Yes' }],
    ] as const)
      expect(await end(how, UNKNOWN_ID, body)).toMatchObject({ code: 'resource_not_found' })
  })

  it('is refused for an order that was refunded', async () => {
    const { order, late } = await newLate('0.0003')
    await payments.refund(order.id, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')
    expect(await listed(order.id)).toEqual([])
    expect(late.order_status).toBe('cancelled')
    await payments.deposit(order.id, '0.0004')
    const { unattributed_money_id: id } = await oneOf(order.id, 'late')
    expect(await end('apply', id, { merchant_consent: 'Yes' })).toMatchObject({
      code: 'invalid_state',
      details: [{ from: 'refunded', to: 'paid' }],
    })
  })
})

describe('an underpaid order', () => {
  it('expires 24 hours after the end of its rate, and what arrived is late money', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id, '0.0002')
    await payments.becomes(partner, order.id, 'underpaid')
    const { partner: heldBy, order: held } = await newOrder()
    await payments.deposit(held.id, '0.0002')
    await payments.becomes(heldBy, held.id, 'underpaid')
    await hold(payments.db, { orderId: held.id, onrampOrderId: 'onr_1' })
    payments.clock.advance(35.9 * HOUR_MS)
    const { partner: marked, order: marker } = await newOrder()
    await payments.deposit(marker.id)
    await payments.becomes(marked, marker.id, 'paid')
    expect(await payments.read(partner, order.id)).toMatchObject({
      value: { order: { status: 'underpaid' } },
    })
    payments.clock.advance(0.2 * HOUR_MS)
    await payments.becomes(partner, order.id, 'expired')
    expect((await payments.eventsOf(order.id)).map(({ name }) => name)).toEqual([
      'payment.pending',
      'payment.underpaid',
      'payment.expired',
    ])
    expect(await oneOf(order.id, 'late')).toMatchObject({ amount: '0.0002', order_status: 'expired' })
    expect(await movesOf(order.id)).toEqual(['open 0.0002', 'open -0.0002, late 0.0002'])
    // A purchase that holds an order keeps it.
    expect(await payments.read(heldBy, held.id)).toMatchObject({ value: { order: { status: 'underpaid' } } })
    await hold(payments.db, { orderId: held.id, onrampOrderId: null })
    await payments.becomes(heldBy, held.id, 'expired')
    await payments.deposit(order.id, '0.0003')
    await payments.becomes(partner, order.id, 'paid')
    await eventually(async () => (await listed(order.id)).length === 0)
  })
})

it('splits and lists a deposit that an older version has counted soon after the start', async () => {
  const { partner, order } = await newOrder()
  await payments.deposit(order.id, '0.0007')
  await payments.becomes(partner, order.id, 'paid')
  await oneOf(order.id, 'excess')
  await forgetMoney(payments.db, { orderId: order.id })
  await forgetSplit(payments.db, { orderId: order.id })
  expect(await oneOf(order.id, 'excess')).toMatchObject({ amount: '0.0002', status: 'open' })
})
