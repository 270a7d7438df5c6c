import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { payoutWallets } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { verifyBooks } from '../src/verification/verify.ts'
import { destinationsOf, GRANTS, type Destination, type Destinations } from './fixtures/destinations.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let customers: Destinations
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 } })
  customers = destinationsOf(ledger)
})
afterAll(() => ledger.stop())

const remove = ({ partnerId, customerId, payoutWalletId }: Destination) =>
  ledger.asPartner(payoutWallets.delete, partnerId, { params: { customerId, payoutWalletId } })
const codeOf = (answer: Awaited<ReturnType<Destinations['withdraw']>>) => (answer.ok ? 'paid' : answer.code)
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('pays out a stated amount to an active destination, which payout and events show masked', async () => {
  const destination = await customers.newDestination()
  const answer = await customers.withdraw(destination, { amount_cents: 2_500, reference: 'Müller 7' })
  expect(answer).toMatchObject({
    ok: true,
    value: {
      payout: {
        payout_id: expect.stringMatching(/^pay_/),
        partner_customer_id: destination.customerId,
        unit: 'EUR',
        amount_cents: 2_500,
        status: 'upcoming',
        destination: 'DE•• •••• 3000',
        reference: 'Müller 7',
        summary: { adjustments: 2_500, advance: 0, entry_count: 1 },
      },
    },
  })
  expect(await customers.sumsOf(destination)).toEqual([7_500n, 2_500n])
  const payoutId = answer.ok ? answer.value.payout.payout_id : ''
  const events = (await ledger.events()).filter((event) => JSON.stringify(event).includes(payoutId))
  expect(events).toMatchObject([
    { name: 'payout.upcoming', merchant: { body: { payout: { destination: 'DE•• •••• 3000' } } } },
  ])
  expect(await customers.payoutsOf(destination)).toMatchObject([
    { payout_wallet_id: destination.payoutWalletId },
  ])
  expect(await faults()).toEqual([])
})

test('pays exactly as many of 32 racing withdrawals as the balance covers', async () => {
  const destination = await customers.newDestination(10_500n)
  const answers = await Promise.all(Array.from({ length: 32 }, () => customers.withdraw(destination)))
  const codes = Map.groupBy(answers.map(codeOf), (code) => code)
  expect([codes.get('paid')?.length, codes.get('amount_exceeds_available')?.length]).toEqual([10, 22])
  expect(await customers.sumsOf(destination)).toEqual([500n, 10_000n])
  expect(await customers.payoutsOf(destination)).toHaveLength(10)
  expect(await faults()).toEqual([])
})

test('pays once for 32 racing requests with one key, and gives all of them the same payout', async () => {
  const destination = await customers.newDestination()
  const answers = await Promise.all(
    Array.from({ length: 32 }, () => customers.withdraw(destination, {}, 'key')),
  )
  const ids = answers.map((answer) => (answer.ok ? answer.value.payout.payout_id : answer.code))
  expect(new Set(ids).size).toBe(1)
  expect(await customers.payoutsOf(destination)).toHaveLength(1)
  expect(codeOf(await customers.withdraw(destination, { amount_cents: 999 }, 'key'))).toBe(
    'idempotency_key_reuse',
  )
})

test('names what is available when the amount exceeds it, and lets the key be used again', async () => {
  const destination = await customers.newDestination(500n)
  expect(await customers.withdraw(destination, {}, 'key')).toMatchObject({
    code: 'amount_exceeds_available',
    details: [{ available: 500 }],
  })
  await customers.earn(destination.customerId, -700n)
  expect(await customers.withdraw(destination, {}, 'key')).toMatchObject({ details: [{ available: -200 }] })
  await customers.earn(destination.customerId, 1_200n)
  expect(codeOf(await customers.withdraw(destination, {}, 'key'))).toBe('paid')
})

test('charges the fee of the price plan in addition, and names it when the balance does not cover both', async () => {
  const destination = await customers.newDestination(1_024n)
  ledger.payments.fees.set(destination.customerId, 25)
  expect(await customers.withdraw(destination)).toMatchObject({
    code: 'amount_exceeds_available',
    details: [{ available: 1_024, payout_fee: 25 }],
  })
  expect(await customers.withdraw(destination, { amount_cents: 999 })).toMatchObject({
    value: {
      payout: { amount_cents: 999, summary: { adjustments: 1_024, payout_fee: -25, entry_count: 2 } },
    },
  })
  expect(await customers.sumsOf(destination)).toEqual([0n, 999n])
})

test('makes a payout before a racing deletion of its destination, or refuses it', async () => {
  const rounds = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const destination = await customers.newDestination()
      const [first, deleted, second] = await Promise.all([
        customers.withdraw(destination),
        remove(destination),
        customers.withdraw(destination),
      ])
      const made = [first, second].filter(({ ok }) => ok).length
      const refused = [first, second].flatMap((answer) => (answer.ok ? [] : [answer.code]))
      expect(deleted.ok).toBe(true)
      expect(refused).toEqual(Array(2 - made).fill('invalid_state'))
      expect(await customers.payoutsOf(destination)).toHaveLength(made)
      expect(codeOf(await customers.withdraw(destination))).toBe('invalid_state')
      return made
    }),
  )
  expect(rounds).toHaveLength(16)
  expect(await faults()).toEqual([])
})

test('keeps the account of a deleted destination until the payout that goes there has ended', async () => {
  const [destination, control] = [await customers.newDestination(), await customers.newDestination()]
  await customers.withdraw(destination)
  await remove(destination)
  await remove(control)
  const rowOf = async ({ payoutWalletId }: Destination) =>
    (await ledger.sql('SELECT * FROM payout_wallets WHERE payout_wallet_id = $1', [payoutWalletId]))[0]
  await eventually(async () => (await rowOf(control))?.['erased_at'] !== null)
  expect(await rowOf(destination)).toMatchObject({
    erased_at: null,
    account_sealed: expect.stringMatching(/^v2\./),
  })
  await ledger.sql("UPDATE payouts SET status = 'settled' WHERE owner_id = $1", [destination.customerId])
  await eventually(async () => (await rowOf(destination))?.['account_sealed'] === null)
})

test.each([
  ['waits', () => Promise.resolve(), 'waiting'],
  [
    'was refused',
    (payoutWalletId: string) =>
      ledger.asStaff(payoutWallets.refuse, { params: { payoutWalletId }, body: { reason: 'Not its own' } }),
    'refused',
  ],
])('refuses to pay out to a destination that %s', async (_, change, status) => {
  const customer = customers.newCustomer()
  const payoutWalletId = await customers.addWallet(customer)
  await customers.earn(customer.customerId, 5_000n)
  await change(payoutWalletId)
  expect(await customers.withdraw({ ...customer, payoutWalletId })).toMatchObject({
    code: 'invalid_state',
    details: [{ payout_wallet_status: status }],
  })
  expect(await customers.payoutsOf(customer)).toEqual([])
})

test('refuses a unit that the destination does not take, and an amount of no minor unit', async () => {
  const destination = await customers.newDestination()
  expect(await customers.withdraw(destination, { unit: 'USD' })).toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'unit', reason: 'invalid_value', expected: 'EUR' }],
  })
  for (const amount of [0, -1, 1.5, '10'])
    expect(await customers.withdraw(destination, { amount_cents: amount })).toMatchObject({
      code: 'invalid_request',
    })
  expect(await customers.withdraw(destination, { reference: 'Ссылка' })).toMatchObject({
    details: [{ field: 'reference', reason: 'invalid_value' }],
  })
})

test('shows a destination of another owner as one that does not exist, and the customer of another partner too', async () => {
  const [own, other] = [await customers.newDestination(), await customers.newDestination()]
  expect(codeOf(await customers.withdraw({ ...own, payoutWalletId: other.payoutWalletId }))).toBe(
    'resource_not_found',
  )
  expect(codeOf(await customers.withdraw({ ...own, partnerId: other.partnerId }))).toBe('resource_not_found')
  expect(codeOf(await customers.withdraw({ ...own, payoutWalletId: newId('payoutWallet') }))).toBe(
    'resource_not_found',
  )
})

test.each([
  ['revoked', { status: 'revoked', grants: GRANTS }, 'resource_not_found'],
  ['left without the capability', { grants: ['payout_wallets'] }, 'capability_not_enabled'],
] as const)(
  'pays nothing once the relationship is %s, although no event has said so yet',
  async (_, change, code) => {
    const destination = await customers.newDestination()
    ledger.onboarding.relate({ ...change, version: 2 }, destination.customerId)
    expect(codeOf(await customers.withdraw(destination))).toBe(code)
    expect(await customers.payoutsOf(destination)).toEqual([])
  },
)

test('pays nothing while the capability is granted but unavailable', async () => {
  const destination = await customers.newDestination()
  ledger.onboarding.suspend(destination.customerId, 2)
  expect(await customers.withdraw(destination)).toMatchObject({
    code: 'capability_unavailable',
    details: [{ reason: 'suspended' }],
  })
})
