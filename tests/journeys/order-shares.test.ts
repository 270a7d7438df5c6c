import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES } from '@causeway/contracts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { cardOrderBody } from '@causeway/scenario'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { signInByKey } from '../screens/visitors.ts'
import {
  newCustomer,
  newPartner,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { signInByLink, visit } from './portal-visitor.ts'

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
/** The order's own customer, and two others that receive splits. */
let seller: TestCustomer
let supplier: TestCustomer
let carrier: TestCustomer
let orderKey = ''

const key = () => ({ 'idempotency-key': newId('request') })

beforeAll(async () => {
  platform = await startTestPlatform()
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: ['payments.fiat_card', 'refunds', 'wallets'],
  })
  seller = await newCustomer(platform, partner.causeway)
  supplier = await newCustomer(platform, partner.causeway)
  carrier = await newCustomer(platform, partner.causeway)
  const plan = dataOf<{ price_plan: { price_plan_id: string } }>(
    await platform.staff.post('/api/operator/price-plans', {
      name: 'Marketplaces',
      rules: [{ rail: 'card', percent: 2.5, payer: 'customer' }],
      partner_fee_max_percent: 10,
    }),
  )
  dataOf(
    await platform.staff.put(`/api/operator/partners/${partner.partnerId}/price-plan`, {
      price_plan_id: plan.price_plan.price_plan_id,
    }),
  )
})
afterAll(() => platform.stop())

type Wallet = Readonly<{ unit: string; pending: number; available: number }>
const balanceOf = async (path: string): Promise<readonly [pending: number, available: number]> => {
  const { wallets } = dataOf<{ wallets: Wallet[] }>(await partner.api.get(path))
  const wallet = wallets.find(({ unit }) => unit === 'EUR')
  return [wallet?.pending ?? 0, wallet?.available ?? 0]
}
/** Pending and available cents of the partner, the seller, the supplier and the carrier. */
const balances = async () => [
  await balanceOf('/api/v1/partner/balance'),
  ...(await Promise.all([seller, supplier, carrier].map(({ path }) => balanceOf(`${path}/wallets`)))),
]
const become = (expected: readonly (readonly [number, number])[]) =>
  eventually(async () => {
    expect(await balances()).toEqual(expected)
    return true
  })
/** Kinds and amounts of the entries of the order, oldest first. */
const entriesAt = async (path: string) =>
  dataOf<{ balance_entries: { kind: string; amount: number }[] }>(
    await partner.api.get(`${path}?order_key=${orderKey}`),
  )
    .balance_entries.map(({ kind, amount }) => [kind, amount])
    .toReversed()
const newPaidOrder = async (shares: object): Promise<string> => {
  const body = { ...(await cardOrderBody(partner.causeway, seller.customerId)), ...shares }
  const made = await partner.api.post(`${seller.path}/fiat-orders`, body, key())
  const { order } = dataOf<{ order: { order_key: string } }>(made)
  await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
  return order.order_key
}
const refund = async (amount_cents: number): Promise<void> => {
  const path = `/api/v1/partner/fiat-orders/${orderKey}/refunds`
  await eventually(async () => {
    const { order } = dataOf<{ order: { status: string } }>(
      await partner.api.get(`/api/v1/partner/fiat-orders/${orderKey}`),
    )
    return order.status === 'paid'
  })
  dataOf(await partner.api.post(path, { amount_cents }, key()))
}

test('books a paid order with a partner fee and splits at everybody who has a share of it', async () => {
  orderKey = await newPaidOrder({
    partner_fee_cents: 900,
    splits: [
      { partner_customer_id: supplier.customerId, amount_cents: 3_000, reference: 'supplier-7' },
      { partner_customer_id: carrier.customerId, amount_cents: 1 },
    ],
  })
  await become([
    [900, 0],
    [6_099, 0],
    [3_000, 0],
    [1, 0],
  ])
  expect(await entriesAt(`${seller.path}/balance-entries`)).toEqual([
    ['payment', 10_250],
    ['service_fee', -250],
    ['partner_fee', -900],
    ['split', -3_000],
    ['split', -1],
  ])
  expect(await entriesAt('/api/v1/partner/balance-entries')).toEqual([['partner_fee', 900]])
  expect(await entriesAt(`${supplier.path}/balance-entries`)).toEqual([['split', 3_000]])
})

test('takes a part of each share back with a partial refund, to the cent', async () => {
  await refund(3_417)
  // Of 34.17 the buyer gets 0.83 of the service fee back: 33.34 are left, a third of what was shared, rounded one by one.
  await become([
    [900 - 300, 0],
    [6_099 - 2_034, 0],
    [3_000 - 1_000, 0],
    [1, 0],
  ])
})

test('takes the rest of each share back with a dispute, which leaves the merchant its fees', async () => {
  dataOf(await platform.sandbox.post(`/control/chargebacks/${orderKey}`, { amount_cents: 6_833 }))
  await become([
    [600, -600],
    [4_065, 600 + 2_000 + 1 - 6_833 - 1_500],
    [2_000, -2_000],
    [1, -1],
  ])
})

test('gives each share to its receiver again when a refund fails afterwards', async () => {
  const before = await balances()
  orderKey = await newPaidOrder({
    service_fee_payer: 'merchant',
    splits: [{ partner_customer_id: supplier.customerId, amount_cents: 4_875 }],
  })
  const [own, , received, other] = before
  if (own === undefined || received === undefined || other === undefined) throw new Error('No balances')
  const [pending, available] = before[1] ?? [0, 0]
  const withShares = (half: number) => [
    own,
    [pending + half, available] as const,
    [received[0] + half, received[1]] as const,
    other,
  ]
  await become(withShares(4_875))
  const { refund_id } = (
    await platform.sandbox.post(`/control/card-refunds/${orderKey}`, { amount_cents: 4_000 })
  ).body as unknown as { refund_id: string }
  await become(withShares(4_875 - 2_000))
  await platform.sandbox.post(`/control/card-refunds/${orderKey}/failure`, { refund_id })
  await become(withShares(4_875))
})

test('shows the merchant of a receiver its share on the order’s page in the portal', async () => {
  const { cookie } = await signInByLink(platform, `merchants/${supplier.merchantId}`)
  const path = `/portal/balances/order?order_key=${orderKey}`
  const page = await visit(`${platform.baseUrl}${path}`, { cookie })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('€48.75')])
  expect(page.text).toContain('Split')
})

test('leaves everybody where they were after a full refund of another order', async () => {
  const before = await balances()
  orderKey = await newPaidOrder({
    partner_fee_cents: 1_000,
    splits: [{ partner_customer_id: carrier.customerId, amount_cents: 9_000 }],
  })
  await become([
    [(before[0]?.[0] ?? 0) + 1_000, before[0]?.[1] ?? 0],
    before[1] ?? [0, 0],
    before[2] ?? [0, 0],
    [(before[3]?.[0] ?? 0) + 9_000, before[3]?.[1] ?? 0],
  ])
  await refund(1)
  await refund(10_249)
  await become(before)
})

test('shows staff the shares on the order’s page', async () => {
  const { key: staffKey } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name: 'Cleo', role: 'viewer' }),
  )
  const { cookie } = await signInByKey(platform, staffKey)
  const page = await visit(`${platform.baseUrl}/console/card-orders/${orderKey}`, { cookie })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Partner fee')])
  expect(page.text).toContain('€90.00')
  expect(page.text).toContain(carrier.customerId)
})
