import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { cardNotices, chargebackCases, chargebacks, fiatOrders, orders } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const sendNotice = (orderKey: string) => {
  const notice = { notice_id: newId('request'), processor: 'processor', event: 'changed', kind: 'dispute' }
  const { payment_id } = payments.cards.ofOrder(orderKey)
  const body = payments.cards.sign({ ...notice, payment_id })
  return payments.ask(cardNotices.receive, { kind: 'public' }, { params: { processor: 'processor' }, body })
}
const paidOrder = async () => {
  const shop = await fiat.newShop()
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
  const payment = payments.cards.ofOrder(order.order_key)
  payment.status = 'completed'
  payment.payer = { ip: '203.0.113.9', email: 'Buyer@example.com' }
  await sendNotice(order.order_key)
  return { ...shop, order, payment }
}

const staff = { kind: 'operator' as const, actor: 'staff' }

it('shows staff the active cases of all customers and the disputes of an order', async () => {
  const { partner, customerId, order, payment } = await paidOrder()
  payment.disputes.push({ dispute_id: newId('request'), amount_cents: 900, currency: 'EUR' })
  await sendNotice(order.order_key)
  const listed = async () => {
    const answer = await payments.ask(chargebackCases.listByStaff, staff, { query: { limit: '100' } })
    return answer.ok ? answer.value.chargeback_cases : []
  }
  const own = { partner_id: partner.partnerId, partner_customer_id: customerId }
  const ofCustomer = (await listed()).filter((found) => found.partner_customer_id === customerId)
  expect(ofCustomer).toEqual([
    expect.objectContaining({ ...own, status: 'active' }),
    expect.objectContaining({ ...own, status: 'active' }),
  ])
  const [one] = ofCustomer
  await payments.ask(chargebackCases.lift, partner, {
    params: { customerId, caseId: one?.case_id ?? '' },
  })
  expect((await listed()).filter((found) => found.partner_customer_id === customerId)).toHaveLength(1)
  const params = { partnerId: partner.partnerId, orderKey: order.order_key }
  expect(await payments.ask(chargebacks.listByStaff, staff, { params, query: {} })).toMatchObject({
    value: { chargebacks: [{ order_key: order.order_key, dispute_amount_cents: 900 }] },
  })
})

it('finds a card order for staff by its key, reference, customer and processor id', async () => {
  const shop = await fiat.newShop()
  const reference = newId('request')
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, {
    merchant_reference: reference,
  })
  const read = await payments.ask(fiatOrders.getByStaff, staff, { params: { orderKey: order.order_key } })
  const processorOrderId = payments.cards.ofOrder(order.order_key).payment_id
  expect(read).toMatchObject({
    value: {
      order: { ...order, partner_id: shop.partner.partnerId, processor_order_id: processorOrderId },
    },
  })
  for (const body of [{ reference }, { processor_order_id: processorOrderId }])
    expect(await payments.ask(orders.search, staff, { body })).toMatchObject({
      value: { orders: [{ kind: 'card', order_key: order.order_key, reference, amount: '10000' }] },
    })
  const crypto = await payments.newOrder(shop.partner, shop.customerId)
  const ofCustomer = async (partnerCustomerId: string) => {
    const body = { partner_customer_id: partnerCustomerId }
    const found = await payments.ask(orders.search, staff, { body })
    return found.ok ? found.value.orders.map(({ kind, order_id: id }) => [kind, id]) : found.code
  }
  expect(await ofCustomer(shop.customerId)).toEqual([
    ['crypto', crypto.id],
    ['card', order.order_id],
  ])
  expect(await ofCustomer((await fiat.newShop()).customerId)).toEqual([])
  expect(await ofCustomer('nobody')).toEqual([])
  expect(
    await payments.ask(orders.search, staff, { body: { reference: 'nobody’s', address: 'x' } }),
  ).toMatchObject({ code: 'invalid_request' })
  const params = { orderKey: '999999999' }
  expect(await payments.ask(fiatOrders.getByStaff, staff, { params })).toMatchObject({
    code: 'resource_not_found',
  })
})
