import { refuse } from '@causeway/chassis'
import { cryptoOrders, unattributedMoney, type UnattributedMoney } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { REQUESTED, serveSigner } from '../crypto-refunds/fake-signer.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const ASK_AGAIN_MS = 2_000
const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const staff = { kind: 'operator' as const, actor: 'staff' }

let payments: RunningPayments
let signer: ReturnType<typeof serveSigner>
beforeAll(async () => {
  payments = await startForTests({ cryptoRefunds: 'signer' })
  signer = serveSigner(payments)
})
afterAll(() => payments.stop())

/** Reads the received and the due amount as the buyer. */
const seen = async (orderId: string) => {
  const answer = await payments.readByBuyer(orderId)
  if (!answer.ok) throw new Error(answer.code)
  const { received, due } = answer.value.order
  return { received, due }
}
const listedOf = async (orderId: string, count: number): Promise<UnattributedMoney[]> => {
  let rows: UnattributedMoney[] = []
  await payments.eventually(async () => {
    const answer = await payments.ask(unattributedMoney.list, staff, { query: { limit: '100' } })
    if (!answer.ok) throw new Error(answer.code)
    rows = answer.value.unattributed_money.filter(({ order_id: id }) => id === orderId)
    expect(rows).toHaveLength(count)
  })
  return rows
}
const idOf = ([row]: readonly UnattributedMoney[]): string => row?.unattributed_money_id ?? ''
const decide = (how: 'keep' | 'handled' | 'refund', id: string, body: object) =>
  payments.ask(unattributedMoney[how], staff, { params: { unattributedMoneyId: id }, body })
const newOrder = async () => {
  const { partner, customerId } = payments.newCustomer()
  return { partner, order: await payments.newOrder(partner, customerId, { amount: 30 }) }
}

test.each([
  ['kept', 'keep', { reason: 'The payer does not answer' }],
  ['handled by hand', 'handled', { reason: 'Sent by the treasury' }],
  ['sent back', 'refund', { to_address: TO, sent_by_hand: true }],
] as const)('does not count as received what was %s: all of it is due again', async (_, how, body) => {
  const { partner, order } = await newOrder()
  payments.clock.advance(12 * HOUR_MS)
  await payments.becomes(partner, order.id, 'expired')
  await payments.deposit(order.id, '0.0002')
  const id = idOf(await listedOf(order.id, 1))
  expect(await seen(order.id)).toEqual({ received: '0.0002', due: '0.0003' })
  expect(await decide(how, id, body)).toMatchObject({ ok: true })
  expect(await seen(order.id)).toEqual({ received: '0', due: '0.0005' })
  await payments.deposit(order.id, '0.0005')
  await payments.becomes(partner, order.id, 'paid')
  expect((await payments.eventsOf(order.id)).at(-1)).toMatchObject({
    partners: [{ data: { status: 'paid', received: '0.0005' } }],
  })
})

test('does not count as received what is being sent back, and counts it again when the refund fails', async () => {
  const { partner, order } = await newOrder()
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  await payments.deposit(order.id, '0.0003')
  const id = idOf(await listedOf(order.id, 1))
  expect(await seen(order.id)).toMatchObject({ received: '0.0008' })
  signer.said = REQUESTED
  expect(await decide('refund', id, { to_address: TO })).toMatchObject({ ok: true })
  expect(await seen(order.id)).toMatchObject({ received: '0.0005' })
  signer.said = refuse('limit_reached', [{ reason: 'limit_reached' }])
  await payments.eventually(async () => {
    payments.clock.advance(ASK_AGAIN_MS)
    expect(await seen(order.id)).toMatchObject({ received: '0.0008' })
  })
})

test('shows nothing received for a fully refunded order, and its last event contains what it had received', async () => {
  const { partner, order } = await newOrder()
  await payments.cancel(partner, order.id)
  await payments.deposit(order.id)
  await listedOf(order.id, 1)
  const answer = await payments.ask(cryptoOrders.refund, staff, {
    params: { orderId: order.id },
    body: { to_address: TO, sent_by_hand: true },
  })
  expect(answer).toMatchObject({ value: { order: { status: 'refunded' } } })
  expect(await seen(order.id)).toEqual({ received: '0', due: '0' })
  expect((await payments.eventsOf(order.id)).at(-1)).toMatchObject({
    name: 'payment.refunded',
    partners: [{ data: { status: 'refunded', received: '0.0005' } }],
  })
})
