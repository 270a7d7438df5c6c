import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const readConfirmations = queryOne({
  name: 'test.read-confirmations',
  parameters: { orderId: 'text' },
  text: 'SELECT confirmations FROM crypto_deposits WHERE order_id = :orderId',
  row: z.object({ confirmations: z.number() }),
})

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

/** A BTC order of 0.0005 due. */
const newOrder = async () => {
  const partner = newPartner()
  const { customerId } = payments.newCustomer(partner)
  return { partner, order: await payments.newOrder(partner, customerId, { amount: 30 }) }
}

it('reverts and reports a deposit that the chain removes, and counts it again from its depth in another block', async () => {
  const { partner, order } = await newOrder()
  const { tx_id: txId } = await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  await payments.confirm(order.id, 0)
  await payments.becomes(partner, order.id, 'pending')
  await payments.confirm(order.id, 1)
  await eventually(
    async () => (await readConfirmations(payments.db, { orderId: order.id }))?.confirmations === 1,
  )
  expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
  await payments.confirm(order.id, 2)
  await payments.becomes(partner, order.id, 'paid')
  const events = await payments.eventsOf(order.id)
  const blockNumber = events[1]?.partners[0]?.data['block_number']
  expect(events.map(({ name, merchant }) => [name, merchant?.event])).toEqual([
    ['payment.pending', 'pending'],
    ['payment.confirmed', 'paid'],
    ['payment.reverted', 'reverted'],
    ['payment.confirmed', 'paid'],
  ])
  expect(events[2]).toMatchObject({
    partners: [{ data: { status: 'pending', tx_id: txId, block_number: blockNumber, received: null } }],
    merchant: { body: { order: { id: order.id, txId, blockNumber, status: 'pending', received: '0' } } },
  })
  expect(new Set(events.map(({ id }) => id)).size).toBe(4)
})

it('leaves the order expired when a deposit is reverted after its end', async () => {
  const { partner, order } = await newOrder()
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  payments.clock.advance(13 * HOUR_MS)
  await payments.confirm(order.id, 0)
  await payments.becomes(partner, order.id, 'expired')
  expect((await payments.eventsOf(order.id)).map(({ name }) => name)).toEqual([
    'payment.pending',
    'payment.confirmed',
    'payment.reverted',
  ])
})
