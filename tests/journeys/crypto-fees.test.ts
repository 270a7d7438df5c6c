import { eventually } from '@causeway/chassis/testing'
import { SCOPES } from '@causeway/contracts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { signInByKey } from '../screens/visitors.ts'
import {
  claimPlatform,
  newCustomer,
  newPartner,
  orderBody,
  type ClaimedPlatform,
  type TestCustomer,
} from './platform.ts'
import { signInByLink, visit } from './portal-visitor.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let seller: TestCustomer
let order: Readonly<{ id: string; amount: string; serviceFee: string }>

beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: ['payments.crypto', 'wallets'],
  })
  seller = await newCustomer(platform, partner.causeway)
  const rules = [{ rail: 'crypto', percent: 2, payer: 'customer' }]
  const { price_plan } = dataOf<{ price_plan: { price_plan_id: string } }>(
    await platform.staff.post('/api/operator/price-plans', { name: 'Crypto', rules }),
  )
  dataOf(
    await platform.staff.put(`/api/operator/partners/${partner.partnerId}/price-plan`, {
      price_plan_id: price_plan.price_plan_id,
    }),
  )
})
afterAll(() => platform.release())

const units = (amount: string): bigint => toUnits(amount, ASSET_DECIMALS.BTC)
const entries = async () =>
  dataOf<{ balance_entries: { kind: string; amount: string; balance: string }[] }>(
    await partner.api.get(`${seller.path}/balance-entries?order_id=${order.id}`),
  )
    .balance_entries.map(({ kind, amount, balance }) => [balance, kind, amount])
    .toReversed()

test('shows the buyer the service fee that comes on top of the price', async () => {
  order = dataOf<{ order: typeof order }>(
    await partner.api.post(`${seller.path}/orders`, orderBody('fee-1')),
  ).order
  expect(order).toMatchObject({ serviceFeePercent: 2, serviceFeePayer: 'customer' })
  const page = await visit(`${platform.baseUrl}/pay/${order.id}`)
  expect([page.status, page.text]).toEqual([
    200,
    expect.stringContaining(`plus a service fee of ${order.serviceFee} `),
  ])
})

test('books the fee of a paid crypto order, and leaves the merchant exactly the price', async () => {
  await platform.sandbox.post('/control/deposits', { order_id: order.id })
  const booked = await eventually(async () => {
    const found = await entries()
    return found.length > 0 && found
  })
  expect(booked).toEqual([
    ['available', 'deposit', order.amount],
    ['available', 'service_fee', `-${order.serviceFee}`],
  ])
  const { wallets } = dataOf<{ wallets: { available: string }[] }>(
    await partner.api.get(`${seller.path}/wallets`),
  )
  expect(wallets.map(({ available }) => available)).toEqual([
    fromUnits(units(order.amount) - units(order.serviceFee), ASSET_DECIMALS.BTC),
  ])
})

test('shows staff and the merchant the fee on their pages of the order', async () => {
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name: 'Cleo', role: 'viewer' }),
  )
  const staff = await signInByKey(platform, key)
  const shown = await visit(`${platform.baseUrl}/console/orders/${order.id}`, { cookie: staff.cookie })
  expect([shown.status, shown.text]).toEqual([
    200,
    expect.stringContaining(`${order.serviceFee} BTC, paid by the customer`),
  ])
  const merchant = await signInByLink(platform, `merchants/${seller.merchantId}`)
  const path = `/portal/balances/order?order_id=${order.id}`
  const page = await visit(`${platform.baseUrl}${path}`, { cookie: merchant.cookie })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`-${order.serviceFee}`)])
  expect(page.text).toContain('Service fee')
})

test('converts the receipt of an order into the currency of its price where the plan settles in that', async () => {
  const rules = [{ rail: 'crypto', percent: 2, payer: 'customer' }]
  const plan = { name: 'Settled in fiat', rules, settlement: 'order_currency' }
  const { price_plan } = dataOf<{ price_plan: { price_plan_id: string } }>(
    await platform.staff.post('/api/operator/price-plans', plan),
  )
  dataOf(
    await platform.staff.put(`/api/operator/merchants/${seller.merchantId}/price-plan`, {
      price_plan_id: price_plan.price_plan_id,
    }),
  )
  const { order: settled } = dataOf<{ order: { id: string; amount: string } }>(
    await partner.api.post(`${seller.path}/orders`, orderBody('settled-1')),
  )
  await platform.sandbox.post('/control/deposits', { order_id: settled.id })
  const { currency, amount } = orderBody('settled-1')
  const cents = Math.round(Number(amount) * 100)
  const ofCurrency = async () =>
    dataOf<{ balance_entries: object[] }>(
      await partner.api.get(`${seller.path}/balance-entries?order_id=${settled.id}&unit=${currency}`),
    ).balance_entries
  expect(await eventually(async () => (await ofCurrency()).length > 0 && ofCurrency())).toMatchObject([
    { balance: 'available', kind: 'conversion', amount: cents, balance_after: cents },
  ])
  const { wallets } = dataOf<{ wallets: { unit: string; available: unknown }[] }>(
    await partner.api.get(`${seller.path}/wallets`),
  )
  const before = fromUnits(units(order.amount) - units(order.serviceFee), ASSET_DECIMALS.BTC)
  expect(wallets.map(({ unit, available }) => [unit, available]).toSorted()).toEqual([
    ['BTC/BTC', before],
    [currency, cents],
  ])
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name: 'Kim', role: 'viewer' }),
  )
  const staff = await signInByKey(platform, key)
  const shown = await visit(`${platform.baseUrl}/console/orders/${settled.id}`, { cookie: staff.cookie })
  expect(shown.text).toContain(' BTC into ')
})
