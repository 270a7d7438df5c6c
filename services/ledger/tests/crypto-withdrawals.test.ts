import { newId } from '@causeway/chassis'
import { paidOut, payouts, payoutWallets, withdrawals, type CapabilityName } from '@causeway/contracts'
import { ethereumWallet } from '@causeway/rails/tests/signing-wallets'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { partsOfAmount } from '../src/posting/amounts.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { settle } from './fixtures/payouts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 } })
})
afterAll(() => ledger.stop())

const GRANTS: readonly CapabilityName[] = ['payout_wallets', 'withdrawals', 'payouts', 'wallets']
type Destination = Readonly<{
  partnerId: string
  customerId: string
  merchantId: string
  payoutWalletId: string
  unit: string
}>

/** A customer with an active address and an available balance, a decimal. */
const newDestination = async (unit: string, available: string): Promise<Destination> => {
  const state = ledger.onboarding.relate({ grants: GRANTS })
  const [partnerId, customerId] = [state.partner_id, state.partner_customer_id]
  const [network, asset] = unit.split('/') as ['ETH', 'USDC']
  const answer = await ledger.asPartner(payoutWallets.create, partnerId, {
    params: { customerId },
    body: { kind: 'address', network, asset, address: ethereumWallet().address },
    idempotencyKey: newId('request'),
  })
  if (!answer.ok) throw new Error(answer.code)
  const { payout_wallet_id: payoutWalletId } = answer.value.payout_wallet
  await ledger.asStaff(payoutWallets.confirm, { params: { payoutWalletId } })
  const earned = { ownerId: customerId, unit, amount: partsOfAmount(unit, available) }
  const posting = adjustmentPosting(earned, newId('adjustment'), new Date())
  await postBatch(ledger.db.pooled, { postings: [posting] }, new Date())
  return { partnerId, customerId, merchantId: state.customer_id, payoutWalletId, unit }
}
const withdraw = (
  { partnerId, customerId, payoutWalletId, unit }: Destination,
  change: object = {},
  idempotencyKey: string = newId('request'),
) =>
  ledger.asPartner(withdrawals.create, partnerId, {
    params: { customerId },
    body: { unit, amount: '0.25', payout_wallet_id: payoutWalletId, ...change },
    idempotencyKey,
  })
const paid = async (destination: Destination, change: object = {}) => {
  const answer = await withdraw(destination, change)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout
}
const codeOf = (answer: Awaited<ReturnType<typeof withdraw>>) => (answer.ok ? 'paid' : answer.code)
const sumsOf = async ({ customerId, unit }: Destination) => {
  const sums = await ledger.sums()
  return [sums[`${customerId}:available ${unit}`] ?? 0n, sums[`${customerId}:on_the_way ${unit}`] ?? 0n]
}
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('pays a stated amount of an asset out to the last of its 18 decimals, and announces it in the unit', async () => {
  const destination = await newDestination('ETH/ETH', '1234567890.000000000000000001')
  const amount = '1234567890.000000000000000001'
  const payout = await paid(destination, { amount })
  expect(payout).toMatchObject({
    unit: 'ETH/ETH',
    amount,
    status: 'upcoming',
    destination: expect.stringMatching(/^0x\w{4}…\w{4}$/),
    summary: { adjustments: amount, advance: '0', entry_count: 1 },
  })
  expect(Object.keys(payout)).not.toContain('amount_cents')
  expect(Object.keys(payout)).not.toContain('currency')
  expect(await sumsOf(destination)).toEqual([0n, 1_234_567_890_000_000_000_000_000_001n])
  const events = (await ledger.events()).filter((event) => JSON.stringify(event).includes(payout.payout_id))
  expect(events).toMatchObject([
    {
      name: 'payout.upcoming',
      partners: [{ data: { unit: 'ETH/ETH', amount } }],
      merchant: {
        body: {
          order: { unit: 'ETH/ETH', amount },
          payout: { unit: 'ETH/ETH', amount, summary: { adjustments: amount } },
        },
      },
    },
  ])
  expect(await faults()).toEqual([])
})

test('pays exactly as many of 32 racing withdrawals of an asset as the balance covers', async () => {
  const destination = await newDestination('ETH/USDC', '2.6')
  const answers = await Promise.all(Array.from({ length: 32 }, () => withdraw(destination)))
  const codes = Map.groupBy(answers.map(codeOf), (code) => code)
  expect([codes.get('paid')?.length, codes.get('amount_exceeds_available')?.length]).toEqual([10, 22])
  expect(await sumsOf(destination)).toEqual([100_000n, 2_500_000n])
  expect(await faults()).toEqual([])
})

test('pays an asset once for racing requests with one key, and refuses the key with another amount', async () => {
  const destination = await newDestination('ETH/USDC', '9')
  const answers = await Promise.all(Array.from({ length: 8 }, () => withdraw(destination, {}, 'key')))
  expect(
    new Set(answers.map((answer) => (answer.ok ? answer.value.payout.payout_id : answer.code))).size,
  ).toBe(1)
  expect(codeOf(await withdraw(destination, { amount: '0.26' }, 'key'))).toBe('idempotency_key_reuse')
  expect(await sumsOf(destination)).toEqual([8_750_000n, 250_000n])
})

test('names what is available of an asset as a decimal number', async () => {
  expect(await withdraw(await newDestination('ETH/USDC', '0.249999'))).toMatchObject({
    code: 'amount_exceeds_available',
    details: [{ available: '0.249999' }],
  })
})

test.each([
  ['cents of an asset', 'ETH/USDC', { amount: undefined, amount_cents: 25 }, 'amount', 'required'],
  ['cents next to the amount of an asset', 'ETH/USDC', { amount_cents: 25 }, 'amount_cents', 'invalid_value'],
  ['a decimal amount of a currency', 'ETH/USDC', { unit: 'EUR' }, 'amount_cents', 'required'],
  ['more decimals than the asset has', 'ETH/USDC', { amount: '0.1234567' }, 'amount', 'invalid_value'],
  ['an amount of 0', 'ETH/USDC', { amount: '0.000' }, 'amount', 'invalid_value'],
  ['a negative amount', 'ETH/USDC', { amount: '-1' }, 'amount', 'invalid_value'],
  ['a number instead of text', 'ETH/USDC', { amount: 0.25 }, 'amount', 'invalid_type'],
  ['another asset of the same address', 'ETH/USDC', { unit: 'ETH/ETH' }, 'unit', 'invalid_value'],
])('refuses to withdraw %s', async (_, unit, change, field, reason) => {
  const destination = await newDestination(unit, '9')
  expect(await withdraw(destination, change)).toMatchObject({
    code: 'invalid_request',
    details: expect.arrayContaining([expect.objectContaining({ field, reason })]),
  })
  expect(await sumsOf(destination)).toEqual([9_000_000n, 0n])
})

test('shows a payout of an asset to staff, partner and merchant, each with its entries', async () => {
  const destination = await newDestination('ETH/USDC', '9')
  const { payout_id: payoutId } = await paid(destination)
  const params = { payoutId }
  const shown = { payout: { unit: 'ETH/USDC', amount: '0.25' } }
  expect(await ledger.asStaff(payouts.get, { params })).toMatchObject({ value: shown })
  expect(await ledger.asPartner(paidOut.get, destination.partnerId, { params })).toMatchObject({
    value: shown,
  })
  expect(await ledger.asMerchant(paidOut.getByMerchant, destination.merchantId, { params })).toMatchObject({
    value: { payout: { ...shown.payout, summary: { adjustments: '0.25' } } },
  })
  expect(
    await ledger.asPartner(paidOut.listEntries, destination.partnerId, { params, query: {} }),
  ).toMatchObject({
    value: { balance_entries: [{ amount: '9', paid_amount: '0.25' }] },
  })
})

test('takes a payout of an asset through every step, and the books keep the sums', async () => {
  const destination = await newDestination('ETH/USDC', '9')
  const step = (operation: 'cancel' | 'markSent' | 'markReturned', payoutId: string, body?: object) =>
    ledger.asStaff(payouts[operation], { params: { payoutId }, ...(body && { body }) })
  const cancelled = await paid(destination)
  expect(await step('cancel', cancelled.payout_id)).toMatchObject({ ok: true })
  const { payout_id: payoutId } = await paid(destination, { amount: '4' })
  expect(await step('markSent', payoutId, { tx_id: '0xaa' })).toMatchObject({
    value: { payout: { unit: 'ETH/USDC', amount: '4', status: 'sent', tx_id: '0xaa' } },
  })
  expect(await settle(ledger, payoutId, 'chain:ETH:treasury')).toBe(true)
  expect(await sumsOf(destination)).toEqual([5_000_000n, 0n])
  expect((await ledger.sums())['chain:ETH:treasury ETH/USDC']).toBe(4_000_000n)
  expect(await step('markReturned', payoutId, { reason: 'Sent back' })).toMatchObject({
    value: { payout: { status: 'returned', amount: '4' } },
  })
  expect(await sumsOf(destination)).toEqual([9_000_000n, 0n])
  const names = (await ledger.events())
    .filter((event) => JSON.stringify(event).includes(payoutId))
    .map(({ name }) => name)
  expect(names).toEqual(['payout.upcoming', 'payout.sent', 'payout.settled', 'payout.returned'])
  expect(await faults()).toEqual([])
})
