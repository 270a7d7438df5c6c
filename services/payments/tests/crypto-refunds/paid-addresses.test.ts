import { call, firstIdAt, newId } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import {
  paidAddresses,
  unattributedMoney,
  type Asset,
  type CryptoOrder,
  type Network,
} from '@causeway/contracts'
import { SANDBOX_ACCOUNTS, createDestinations } from '@causeway/rails/networks'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const OLD_MS = 96 * 3_600_000
const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const staff = { kind: 'operator' as const, actor: 'staff' }
const destinations = createDestinations(SANDBOX_ACCOUNTS)
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

/** Addresses that the signer may empty now: of orders whose last deposit is older than 96 hours. */
const swept = async (network: Network, asset: Asset): Promise<string[]> => {
  const answer = await call(payments.bus, payments.clock, paidAddresses.list, {
    caller: { kind: 'service', service: 'signer' },
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: true,
    body: {
      network,
      asset,
      after: null,
      created_before: new Date(payments.clock.nowMs() - OLD_MS).toISOString(),
    },
  })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.key_indexes.map((index) => destinations.derive(network, index).address)
}
const newOrder = async (change: Parameters<RunningPayments['newOrder']>[2] = {}) => {
  const { partner, customerId } = payments.newCustomer()
  return { partner, order: await payments.newOrder(partner, customerId, { amount: 30, ...change }) }
}
const newPaid = async (change: Parameters<RunningPayments['newOrder']>[2] = {}) => {
  const { partner, order } = await newOrder(change)
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  return { partner, order }
}
const listed = async ({ id }: CryptoOrder) => {
  let found: string | undefined
  await payments.eventually(async () => {
    const answer = await payments.ask(unattributedMoney.list, staff, { query: { limit: '100' } })
    found = answer.ok
      ? answer.value.unattributed_money.find(({ order_id }) => order_id === id)?.unattributed_money_id
      : undefined
    expect(found).toBeDefined()
  })
  return found ?? ''
}

test('lists orders that were paid 96 hours ago by the moved clock, also if they were created after the move', async () => {
  const { order: old } = await newPaid()
  expect(await swept('BTC', 'BTC')).not.toContain(old.address)
  payments.clock.advance(OLD_MS + 3_600_000)
  // Its id has the process's time, which nobody moves: it is older than 96 hours by that.
  const { order: young } = await newPaid()
  expect(young.id < firstIdAt('cryptoOrder', payments.clock.nowMs() - OLD_MS)).toBe(true)
  const addresses = await swept('BTC', 'BTC')
  expect(addresses).toContain(old.address)
  expect(addresses).not.toContain(young.address)
})

test('leaves out an order while money of it waits for staff, and lists it once that has ended', async () => {
  const { order } = await newPaid()
  await payments.deposit(order.id, '0.0003')
  const id = await listed(order)
  payments.clock.advance(OLD_MS + 3_600_000)
  expect(await swept('BTC', 'BTC')).not.toContain(order.address)
  await payments.ask(unattributedMoney.refund, staff, {
    params: { unattributedMoneyId: id },
    body: { to_address: TO },
  })
  expect(await swept('BTC', 'BTC')).toContain(order.address)
})

test('leaves out orders that can still be paid, and lists one that was paid late', async () => {
  const { partner, order } = await newOrder()
  payments.clock.advance(OLD_MS + 3_600_000)
  await payments.becomes(partner, order.id, 'expired')
  expect(await swept('BTC', 'BTC')).not.toContain(order.address)
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  expect(await swept('BTC', 'BTC')).not.toContain(order.address)
  payments.clock.advance(OLD_MS + 3_600_000)
  expect(await swept('BTC', 'BTC')).toContain(order.address)
})

test('lists an address for each asset that it has received and that has ended, and for no other', async () => {
  const { order } = await newPaid({ network: 'ETH', asset: 'ETH' })
  await payments.deposit(order.id, '12.5', undefined, 'USDC')
  const id = await listed(order)
  payments.clock.advance(OLD_MS + 3_600_000)
  expect(await swept('ETH', 'ETH')).not.toContain(order.address)
  await payments.ask(unattributedMoney.refund, staff, {
    params: { unattributedMoneyId: id },
    body: { to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  })
  expect(await swept('ETH', 'ETH')).toContain(order.address)
  expect(await swept('ETH', 'USDC')).toContain(order.address)
  expect(await swept('ETH', 'USDT')).not.toContain(order.address)
})
