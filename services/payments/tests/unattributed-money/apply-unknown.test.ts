import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fromUnits, toUnits } from '@causeway/rails/networks'
import { catchUp, mineEmpty } from '../blocks/block-fixture.ts'
import { CONSENT, startUnknownFixture, type UnknownFixture } from './unknown-fixture.ts'

const UNKNOWN_ID = 'ord_01m802r5s4f68ahq5s8g06rx5p'
let fixture: UnknownFixture
beforeAll(async () => {
  fixture = await startUnknownFixture()
})
afterAll(() => fixture.stop())

/** Part of an amount of XRP, in tenths. */
const tenths = (amount: string, count: bigint) => fromUnits((toUnits(amount, 6) * count) / 10n, 6)
const movesOf = async (orderId: string) =>
  (await fixture.payments.events()).flatMap(({ fact }) => {
    if (fact?.kind !== 'deposit_move' || fact.deposit_move.order_id !== orderId) return []
    const { open, applied, excess, late } = fact.deposit_move
    return [{ open, applied, excess, late }]
  })
const NOTHING = { open: '0', applied: '0', excess: '0', late: '0' }

describe('unattributed money that staff apply to an order', () => {
  it('pays the order once, with its event, and a repeated call returns the record', async () => {
    const order = await fixture.newOrder('XRP')
    const transfer = fixture.toAccount('XRP', order.amount)
    const { id } = await fixture.arrive(transfer, 'XRP')
    const body = { ...CONSENT, order_id: order.id }
    const [first, second] = await Promise.all([
      fixture.end('apply', id, body),
      fixture.end('apply', id, body),
    ])
    expect(first).toMatchObject({
      ok: true,
      value: {
        unattributed_money: {
          kind: 'unknown',
          order_id: order.id,
          order_status: 'paid',
          partner_id: order.partner.partnerId,
          status: 'ended',
          ended_by: 'applied',
          reason: CONSENT.merchant_consent,
        },
      },
    })
    expect(second).toEqual(first)
    expect(await fixture.end('apply', id, body)).toEqual(first)
    expect(await order.told()).toEqual(['payment.confirmed'])
    expect(await order.lastEvent()).toMatchObject({
      partners: [{ data: { status: 'paid', tx_id: transfer.txId, received: order.amount } }],
    })
    expect(await movesOf(order.id)).toEqual([{ ...NOTHING, applied: order.amount }])
    expect(await fixture.listedOf(transfer)).toEqual([])
  })

  it('pays only one order when two are named concurrently', async () => {
    const [one, other] = [await fixture.newOrder('XRP'), await fixture.newOrder('XRP')]
    const { id } = await fixture.arrive(fixture.toAccount('XRP', one.amount), 'XRP')
    const outcomes = await Promise.all(
      [one, other].map((order) => fixture.end('apply', id, { ...CONSENT, order_id: order.id })),
    )
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code)).sort()).toEqual([
      'invalid_request',
      'ok',
    ])
    expect([await one.status(), await other.status()].sort()).toEqual(['paid', 'pending'])
  })

  it('leaves the order underpaid with a part, and lists what exceeds the amount due', async () => {
    const order = await fixture.newOrder('XRP')
    const part = await fixture.arrive(fixture.toAccount('XRP', tenths(order.amount, 4n)), 'XRP')
    await fixture.end('apply', part.id, { ...CONSENT, order_id: order.id })
    expect(await order.status()).toBe('underpaid')
    const rest = fixture.toAccount('XRP', tenths(order.amount, 8n))
    const { id } = await fixture.arrive(rest, 'XRP')
    await fixture.end('apply', id, { ...CONSENT, order_id: order.id })
    expect(await order.status()).toBe('paid')
    const [excess] = await fixture.listedOf(rest)
    expect(excess).toMatchObject({ kind: 'excess', order_id: order.id, address: rest.address })
    expect(toUnits(String(excess?.amount), 6)).toBe(
      toUnits(tenths(order.amount, 4n), 6) + toUnits(tenths(order.amount, 8n), 6) - toUnits(order.amount, 6),
    )
  })

  it('is late money of an order that was cancelled', async () => {
    const order = await fixture.newOrder('XRP')
    await fixture.payments.cancel(order.partner, order.id)
    const transfer = fixture.toAccount('XRP', order.amount)
    const { id } = await fixture.arrive(transfer, 'XRP')
    expect(await fixture.end('apply', id, { ...CONSENT, order_id: order.id })).toMatchObject({ ok: true })
    expect(await order.status()).toBe('cancelled')
    expect(await fixture.listedOf(transfer)).toMatchObject([{ kind: 'late', order_id: order.id }])
  })

  it('is removed from the order when the chain reverts it, and pays it again when it returns', async () => {
    const order = await fixture.newOrder('XRP')
    const { id, chain, reading } = await fixture.arrive(fixture.toAccount('XRP', order.amount), 'XRP')
    await fixture.end('apply', id, { ...CONSENT, order_id: order.id })
    const gone = chain.rewind(1)
    mineEmpty(chain, 2)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    chain.mine(gone)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    expect(await order.told()).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
  })

  it('is refused for an order that is missing, unknown, refunded, or of another network or asset', async () => {
    const { id, chain, reading } = await fixture.arrive(fixture.toAccount('SOL', '9'), 'SOL')
    const refusedFor = (body: object) => fixture.end('apply', id, { ...CONSENT, ...body })
    expect(await refusedFor({})).toMatchObject({ details: [{ field: 'order_id', reason: 'required' }] })
    const wrong = { code: 'invalid_request', details: [{ field: 'order_id', reason: 'invalid_value' }] }
    expect(await refusedFor({ order_id: UNKNOWN_ID })).toMatchObject(wrong)
    const ofXrp = await fixture.newOrder('XRP')
    expect(await refusedFor({ order_id: ofXrp.id })).toMatchObject(wrong)
    const ofSol = await fixture.newOrder('SOL')
    const token = fixture.toAccount('SOL', '5', { asset: 'USDC', outputIndex: 3_000_000 })
    chain.mine([token])
    await catchUp(reading)
    const [usdc] = await fixture.listedOf(token)
    expect(usdc).toMatchObject({ unit: 'SOL/USDC' })
    expect(
      await fixture.end('apply', usdc?.unattributed_money_id ?? '', { ...CONSENT, order_id: ofSol.id }),
    ).toMatchObject(wrong)
    const late = await fixture.newOrder('SOL')
    await fixture.payments.cancel(late.partner, late.id)
    const first = await fixture.arrive(fixture.toAccount('SOL', '1'), 'SOL')
    await fixture.end('apply', first.id, { ...CONSENT, order_id: late.id })
    const sent = await fixture.payments.refund(late.id, 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
    expect(sent).toMatchObject({ code: 'invalid_request', details: [{ reason: 'forbidden_address' }] })
    await fixture.payments.refund(late.id, '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV')
    expect(await refusedFor({ order_id: late.id })).toMatchObject({
      code: 'invalid_state',
      details: [{ from: 'refunded', to: 'paid' }],
    })
  })
})
