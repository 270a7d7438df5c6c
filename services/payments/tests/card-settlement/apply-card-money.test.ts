import { unattributedMoney, type FiatOrder } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createCardCalls } from '../card-calls.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const STAFF = { kind: 'operator' as const, actor: 'staff' }
const CONSENT = { merchant_consent: 'By mail of 2026-11-24' }
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const payment = (order: FiatOrder) => payments.cards.ofOrder(order.order_key)
const notify = (order: FiatOrder) => createCardCalls(payments).sendNotice(order)
/** An order whose payment was this at first and completed later, with its unattributed money. */
const newListed = async (
  first: 'cancelled' | 'expired' | null,
  captured?: { cents: number; currency: string },
) => {
  const fiat = createFiatCalls(payments)
  const { partner, customerId, integrationId } = await fiat.newShop()
  const order = await fiat.newOrder(partner, customerId, integrationId)
  if (first !== null) {
    payment(order).status = first
    await notify(order)
  }
  payment(order).status = 'completed'
  if (captured !== undefined) payment(order).captured = captured
  await notify(order)
  const answer = await payments.ask(unattributedMoney.list, STAFF, { query: { limit: '100' } })
  if (!answer.ok) throw new Error(answer.code)
  const [row] = answer.value.unattributed_money.filter(({ order_key: key }) => key === order.order_key)
  if (row === undefined) throw new Error(`Nothing is listed of order ${order.order_key}`)
  const read = async () => {
    const outcome = await fiat.get(partner, order.order_key)
    if (!outcome.ok) throw new Error(outcome.code)
    return outcome.value.order
  }
  const told = async () => (await payments.eventsOf(order.order_id)).map(({ name }) => name)
  return { order, id: row.unattributed_money_id, kind: row.kind, read, told }
}
const decide = (how: 'apply' | 'refund' | 'handled', id: string, body: object) =>
  payments.ask(unattributedMoney[how], STAFF, { params: { unattributedMoneyId: id }, body })

describe("money of a card payment applied by staff with the merchant's consent", () => {
  test.each(['cancelled', 'expired'] as const)(
    'makes the %s order paid once, with its event, and its refunds count from then on',
    async (end) => {
      const { order, id, read, told } = await newListed(end)
      const before = (await told()).length
      const outcomes = await Promise.all([decide('apply', id, CONSENT), decide('apply', id, CONSENT)])
      expect(outcomes[0]).toMatchObject({
        value: { unattributed_money: { status: 'ended', ended_by: 'applied', order_status: 'paid' } },
      })
      expect(outcomes[1]).toEqual(outcomes[0])
      expect(await read()).toMatchObject({ status: 'paid', refunded_cents: 0 })
      expect((await told()).slice(before)).toEqual(['payment.confirmed'])
      payment(order).refunds.push({
        refund_id: `part_${order.order_key}`,
        amount_cents: 100,
        status: 'succeeded',
      })
      await notify(order)
      expect(await read()).toMatchObject({ status: 'paid', refunded_cents: 100 })
    },
  )

  test('leaves a surplus with the merchant and the order unchanged', async () => {
    const { id, kind, read, told } = await newListed(null, { cents: 10_250, currency: 'EUR' })
    expect(kind).toBe('excess')
    const before = await told()
    expect(await decide('apply', id, CONSENT)).toMatchObject({
      value: { unattributed_money: { status: 'ended', ended_by: 'applied', amount: 250 } },
    })
    expect(await read()).toMatchObject({ status: 'paid', total_cents: 10_000 })
    expect(await told()).toEqual(before)
  })

  test.each([
    ['less than its order asks for', null, { cents: 9_999, currency: 'EUR' }, 'pending'],
    ['another currency', null, { cents: 10_000, currency: 'USD' }, 'pending'],
    ['less than its expired order asks for', 'expired', { cents: 9_999, currency: 'EUR' }, 'expired'],
  ] as const)('is refused for a payment that captured %s', async (_, first, captured, status) => {
    const { id, kind, read } = await newListed(first, captured)
    expect(await decide('apply', id, CONSENT)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: status, to: 'paid', kind, total_cents: 10_000 }],
    })
    expect(await read()).toMatchObject({ status })
  })

  test('is refused with the id of another order', async () => {
    const { id } = await newListed('expired')
    const body = { ...CONSENT, order_id: 'ord_01m802r5s4f68ahq5s8g06rx5p' }
    expect(await decide('apply', id, body)).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'order_id', reason: 'invalid_value' }],
    })
  })
})

test('refunds a card payment at its processor and keeps the reference when it is handled', async () => {
  const { id } = await newListed('cancelled')
  const refused = { code: 'not_refundable', details: [{ reason: 'card_payment', kind: 'card_after_end' }] }
  expect(await decide('refund', id, { to_address: 'a card', sent_by_hand: true })).toMatchObject(refused)
  const handled = { reason: 'Refunded at the processor', tx_id: 're_1' }
  expect(await decide('handled', id, handled)).toMatchObject({
    value: { unattributed_money: { ended_by: 'handled', ended_tx_id: 're_1' } },
  })
  expect(await decide('apply', id, CONSENT)).toMatchObject({
    code: 'invalid_state',
    details: [{ from: 'handled', to: 'applied' }],
  })
})
