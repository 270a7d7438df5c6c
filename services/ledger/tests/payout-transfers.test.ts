import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { payouts, payoutTransfers, payoutWallets, withdrawals, type Caller } from '@causeway/contracts'
import { ethereumWallet } from '@causeway/rails/tests/signing-wallets'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { createFakeSigner } from './fixtures/fake-signer.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
let signer: ReturnType<typeof createFakeSigner>
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 } })
  signer = createFakeSigner(ledger.bus, ledger.clock)
})
afterAll(() => ledger.stop())
beforeEach(() => signer.setSigned(false))

const ACCESS: Caller = { kind: 'service', service: 'access' }
type Made = Readonly<{ payoutId: string; customerId: string; payoutWalletId: string; address: string }>

/** A payout of USDC to an active address, of a customer that had 9. */
const newPayout = async (amount = '2.5'): Promise<Made> => {
  const state = ledger.onboarding.relate({ grants: ['payout_wallets', 'withdrawals', 'payouts', 'wallets'] })
  const [partnerId, customerId] = [state.partner_id, state.partner_customer_id]
  const { address } = ethereumWallet()
  const added = await ledger.asPartner(payoutWallets.create, partnerId, {
    params: { customerId },
    body: { kind: 'address', network: 'ETH', asset: 'USDC', address },
    idempotencyKey: newId('request'),
  })
  if (!added.ok) throw new Error(added.code)
  const { payout_wallet_id: payoutWalletId } = added.value.payout_wallet
  await ledger.asStaff(payoutWallets.confirm, { params: { payoutWalletId } })
  const earned = { ownerId: customerId, unit: 'ETH/USDC', amount: 9_000_000n }
  await postBatch(
    ledger.db.pooled,
    { postings: [adjustmentPosting(earned, newId('adjustment'), new Date())] },
    new Date(),
  )
  const made = await ledger.asPartner(withdrawals.create, partnerId, {
    params: { customerId },
    body: { unit: 'ETH/USDC', amount, payout_wallet_id: payoutWalletId },
    idempotencyKey: newId('request'),
  })
  if (!made.ok) throw new Error(made.code)
  return { payoutId: made.value.payout.payout_id, customerId, payoutWalletId, address }
}
const expectedOf = ({ address }: Made) => ({ unit: 'ETH/USDC', amount: '2.5', address })
const send = (made: Made, change: object = {}) =>
  ledger.asStaff(payoutTransfers.send, {
    params: { payoutId: made.payoutId },
    body: { expected: { ...expectedOf(made), ...change } },
  })
const step = (operation: 'cancel' | 'markSent', { payoutId }: Made) =>
  ledger.asStaff(payouts[operation], { params: { payoutId } })
const read = async ({ payoutId }: Made) => {
  const answer = await ledger.asStaff(payouts.get, { params: { payoutId } })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout
}
const transferOf = ({ payoutId }: Made) =>
  ledger.ask(payoutTransfers.get, ACCESS, { body: { payout_id: payoutId } })
const becomes = (made: Made, status: string) => eventually(async () => (await read(made)).status === status)
const sumsOf = async ({ customerId }: Made) => {
  const sums = await ledger.sums()
  return ['available', 'on_the_way'].map((balance) => sums[`${customerId}:${balance} ETH/USDC`] ?? 0n)
}
const faults = () => verifyBooks(ledger.db.pooled, new Date())

test('has the signer send a payout as staff saw it, and settles it out of the treasury', async () => {
  const made = await newPayout()
  expect(await read(made)).toMatchObject({ address: made.address, transfer: null, amount: '2.5' })
  const transfer = { network: 'ETH', asset: 'USDC', to_address: made.address, amount: '2.5' }
  expect(await transferOf(made)).toMatchObject({ code: 'invalid_state' })
  expect(await send(made)).toMatchObject({ ok: true })
  expect(await send(made)).toMatchObject({ ok: true })
  expect(await transferOf(made)).toMatchObject({ value: { transfer } })
  await eventually(async () => (await read(made)).transfer?.problem === 'not_approved')
  signer.setProgress(made.payoutId, 'broadcast', { tx_id: '0xaa', arrives: '2.5' })
  ledger.clock.advance(10_000)
  await becomes(made, 'sent')
  signer.setProgress(made.payoutId, 'confirmed', { tx_id: '0xbb', arrives: '2.5' })
  ledger.clock.advance(10_000)
  await becomes(made, 'settled')
  expect(await read(made)).toMatchObject({ tx_id: '0xbb', transfer: { status: 'confirmed', problem: null } })
  expect(await sumsOf(made)).toEqual([6_500_000n, 0n])
  expect((await ledger.sums())['chain:ETH:treasury ETH/USDC']).toBe(2_500_000n)
  expect(signer.requested).toContainEqual({ ...transfer, payout_id: made.payoutId })
  const names = (await ledger.events())
    .filter((event) => JSON.stringify(event).includes(made.payoutId))
    .map(({ name }) => name)
  expect(names).toEqual(['payout.upcoming', 'payout.sent', 'payout.settled'])
  expect(await faults()).toEqual([])
})

test.each([
  ['another amount', { amount: '2.6' }, 'amount'],
  ['another address', { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'address'],
  ['another unit', { unit: 'ETH/USDT' }, 'unit'],
])('sends nothing if staff saw %s', async (_, change, field) => {
  const made = await newPayout()
  expect(await send(made, change)).toMatchObject({
    code: 'invalid_state',
    details: [{ reason: 'not_as_expected', field }],
  })
  expect((await read(made)).transfer).toBeNull()
})

test('refuses to send a payout that was cancelled, or recorded as sent, or that the signer could never send', async () => {
  const [cancelled, byHand, tooMuch] = [await newPayout(), await newPayout(), await newPayout('4.04')]
  await step('cancel', cancelled)
  await step('markSent', byHand)
  expect(await send(cancelled)).toMatchObject({ code: 'invalid_state', details: [{ from: 'cancelled' }] })
  expect(await send(byHand)).toMatchObject({ code: 'invalid_state', details: [{ from: 'sent' }] })
  expect(await send(tooMuch, { amount: '4.04' })).toMatchObject({ code: 'limit_reached' })
  for (const made of [cancelled, byHand, tooMuch])
    expect(await transferOf(made)).toMatchObject({ code: 'invalid_state' })
})

test('cancels a payout that the signer has only if the signer rules it out, and never records it as sent by hand', async () => {
  const made = await newPayout()
  await send(made)
  expect(await step('markSent', made)).toMatchObject({
    code: 'invalid_state',
    details: [{ transfer: 'requested' }],
  })
  signer.setSigned(true)
  expect(await step('cancel', made)).toMatchObject({ code: 'invalid_state' })
  expect(await sumsOf(made)).toEqual([6_500_000n, 2_500_000n])
  signer.setSigned(false)
  expect(await step('cancel', made)).toMatchObject({ value: { payout: { status: 'cancelled' } } })
  expect(signer.cancelled).toEqual([made.payoutId])
  expect(await sumsOf(made)).toEqual([9_000_000n, 0n])
})

test('lets racing calls either send a payout or cancel it', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => newPayout()))
  signer.setSigned(true)
  await Promise.all(
    all.map(async (made) => {
      const [sent, cancelled] = await Promise.all([send(made), step('cancel', made)])
      expect([sent.ok, cancelled.ok].filter(Boolean)).toHaveLength(1)
      expect((await read(made)).transfer === null).toBe(cancelled.ok)
    }),
  )
  expect(await faults()).toEqual([])
})

test('keeps a payout upcoming if its transfer failed before it was sent, and takes it back if it failed later', async () => {
  const [early, late] = [await newPayout(), await newPayout()]
  for (const made of [early, late]) await send(made)
  signer.setProgress(late.payoutId, 'broadcast', { tx_id: '0xcc' })
  ledger.clock.advance(10_000)
  await becomes(late, 'sent')
  for (const made of [early, late]) signer.setProgress(made.payoutId, 'failed', { reason: 'replaced' })
  ledger.clock.advance(10_000)
  await becomes(late, 'returned')
  await eventually(async () => (await read(early)).transfer?.status === 'failed')
  expect(await read(early)).toMatchObject({ status: 'upcoming', transfer: { problem: 'replaced' } })
  expect(await send(early)).toMatchObject({ code: 'invalid_state' })
  expect(await step('cancel', early)).toMatchObject({ ok: true })
  for (const made of [early, late]) expect(await sumsOf(made)).toEqual([9_000_000n, 0n])
  expect(await faults()).toEqual([])
})
