import { createStatementSigner, newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import {
  mayCall,
  PAYOUT_APPROVAL_PURPOSE,
  payoutApprovals,
  REFUND_APPROVAL_PURPOSE,
  SENDERS,
  signerPayouts,
  type Operation,
} from '@causeway/contracts'
import { TREASURY_NUMBER, TransferError } from '@causeway/rails/transfers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { signerRecord } from '../src/record/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { newPayout, newRefund, startForTests, type PayoutBody, type RunningSigner } from './running-signer.ts'

const ANOTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const TREASURY = `address-${TREASURY_NUMBER}`
const chain = createFakeChain()
let signer: RunningSigner
beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]), {
    payoutLimits: { 'ETH/ETH': '1000', 'ETH/USDC': '10', 'ETH/USDT': '10' },
    sweepAddresses: { ETH: 'treasury' },
  })
})
afterAll(() => signer.stop())
beforeEach(() => {
  chain.setBalance(TREASURY_NUMBER, '1000')
  chain.setUnavailable(false)
  chain.refuse(null)
  chain.tamper((transfer) => transfer)
  chain.setProgress({ state: 'mined', confirmations: 1, networkFee: '0.001' })
})

let amounts = 0
/** A payout of an amount that no other one has, by which what was sent is found. */
const newOwn = (change: Partial<PayoutBody> = {}): PayoutBody =>
  newPayout({ amount: `1.${String((amounts += 1)).padStart(4, '0')}`, ...change })
const leaving = ({ amount }: PayoutBody) =>
  chain.signed.filter(({ sources }) => sources.some((source) => source.amount === amount))
const kindsOf = async (subject: string) =>
  (await signerRecord.list(signer.db, { afterSequence: 0, limit: 10_000 }))
    .filter((link) => link.subject === subject)
    .map(({ kind }) => kind)
const refused = (code: string, detail: object) => ({
  ok: false,
  code,
  details: [expect.objectContaining(detail)],
})
/** Waits until the payouts that were signed before are over: one transfer of a network is sent at a time. */
const isConfirmed = async (body: PayoutBody) => {
  await signer.payoutBecomes(body, 'broadcast')
  chain.setProgress({ state: 'mined', confirmations: 3, networkFee: '0.001' })
  return signer.payoutBecomes(body, 'confirmed')
}

test('sends an approved payout once from the treasury, whose address staff can read, and confirms it at its depth', async () => {
  expect(await signer.listTreasury()).toMatchObject({
    value: { treasury_addresses: [{ network: 'ETH', address: TREASURY, receives_sweeps: true }] },
  })
  const body = newOwn()
  expect(await signer.approvePayout(body)).toMatchObject({ ok: true })
  expect(await signer.payout(body)).toMatchObject({ ok: true })
  const sent = await signer.payoutBecomes(body, 'broadcast')
  expect(sent.tx_id).toMatch(/^tx-/)
  const confirmed = await isConfirmed(body)
  expect(confirmed.tx_id).toBe(sent.tx_id)
  for (let repeat = 0; repeat < 5; repeat += 1) await signer.payout(body)
  await signer.approvePayout(body)
  expect(leaving(body)).toMatchObject([
    { toAddress: body.to_address, sources: [{ index: TREASURY_NUMBER, amount: body.amount }] },
  ])
  expect(await kindsOf(body.payout_id)).toEqual([
    ...['approved', 'requested', 'signed', 'broadcast', 'confirmed', 'approved'],
  ])
})

test('sends nothing that is not approved', async () => {
  const body = newOwn()
  expect(await signer.payout(body)).toEqual(refused('invalid_state', { reason: 'not_approved' }))
  await signer.approvePayout(newOwn({ amount: body.amount }))
  expect(await signer.payout(body)).toEqual(refused('invalid_state', { reason: 'not_approved' }))
  expect(leaving(body)).toEqual([])
  expect(await kindsOf(body.payout_id)).toEqual([])
})

test.each([
  ['another address', { to_address: ANOTHER }, 'to_address'],
  ['a larger amount', { amount: '400' }, 'amount'],
  ['a smallest part more', { amount: '0.500000000000000001' }, 'amount'],
  ['another asset', { asset: 'USDC' }, 'asset'],
] as const)('refuses a ledger that requests %s than was approved', async (_, change, field) => {
  const body = newPayout()
  await signer.approvePayout(body)
  expect(await signer.payout({ ...body, ...change })).toEqual(
    refused('invalid_state', { reason: 'another_approved', field }),
  )
  expect(await signer.payout(body)).toMatchObject({ ok: true })
  // Once it is under way, not even a new approval of other content changes it.
  await signer.approvePayout({ ...body, ...change })
  expect(await signer.payout({ ...body, ...change })).toEqual(
    refused('invalid_state', { reason: 'another_than_requested_before' }),
  )
  const { tx_id: txId } = await isConfirmed(body)
  expect(chain.signed.filter((each) => each.txId === txId)).toMatchObject([
    { toAddress: body.to_address, asset: 'ETH', sources: [{ amount: '0.5' }] },
  ])
})

test('never sends a cancelled payout, although it is approved and requested afterwards', async () => {
  const [unknown, waiting] = [newOwn(), newOwn()]
  expect(await signer.cancelPayout(unknown)).toMatchObject({ ok: true })
  expect(await signer.cancelPayout(unknown)).toMatchObject({ ok: true })
  chain.setUnavailable(true)
  await signer.approvePayout(waiting)
  await signer.payout(waiting)
  expect(await signer.cancelPayout(waiting)).toMatchObject({ ok: true })
  chain.setUnavailable(false)
  for (const body of [unknown, waiting]) {
    await signer.approvePayout(body)
    expect(await signer.payout(body)).toMatchObject({
      value: { payout: { status: 'failed', reason: 'cancelled' } },
    })
    await signer.sql('DELETE FROM transfers WHERE id = $1', [body.payout_id])
    expect(await signer.payout(body)).toMatchObject({ ok: false, code: 'internal_error' })
    expect(await kindsOf(body.payout_id)).not.toContain('signed')
    // A signature that was under way at the cancellation is dropped: it is neither stored nor sent.
    const sent = chain.sent.flatMap(({ sources }) => sources.map(({ amount }) => amount))
    expect(sent).not.toContain(body.amount)
  }
})

test('refuses to cancel a payout once it is signed', async () => {
  const body = newOwn()
  await signer.approvePayout(body)
  await signer.payout(body)
  await signer.payoutBecomes(body, 'broadcast')
  expect(await signer.cancelPayout(body)).toEqual(refused('invalid_state', { transfer: 'broadcast' }))
  await isConfirmed(body)
})

test('accepts approvals from access alone, and requests from the ledger alone', () => {
  const sendersOf = (operation: Operation) => SENDERS.filter((sender) => mayCall(sender, operation))
  expect(sendersOf(payoutApprovals.create)).toEqual(['access'])
  expect(sendersOf(signerPayouts.create)).toEqual(['ledger'])
  expect(sendersOf(signerPayouts.cancel)).toEqual(['ledger'])
})

test('accepts no approval of another purpose, of another key, or that was changed', async () => {
  const body = newOwn()
  const statement = JSON.stringify(signer.payoutApprovalOf(body))
  const ofAnotherKey = createStatementSigner(PAYOUT_APPROVAL_PURPOSE, Buffer.alloc(32, 8))(statement)
  const ofRefunds = createStatementSigner(REFUND_APPROVAL_PURPOSE, Buffer.alloc(32, 7))(statement)
  const changed = JSON.stringify(signer.payoutApprovalOf(body, { to_address: ANOTHER }))
  for (const [text, signature] of [
    [statement, ofAnotherKey],
    [statement, ofRefunds],
    [changed, signer.signPayout(statement)],
  ] as const)
    expect(await signer.sendPayoutApproval(text, signature)).toEqual(
      refused('invalid_request', { field: 'signature' }),
    )
  expect(await kindsOf(body.payout_id)).toEqual([])
})

test('refuses a payout once its approval has expired', async () => {
  const body = newOwn()
  await signer.approvePayout(body, { expires_at: new Date(signer.clock.nowMs() + 60_000).toISOString() })
  chain.setUnavailable(true)
  expect(await signer.payout(body)).toMatchObject({ value: { payout: { status: 'requested' } } })
  signer.clock.advance(60_000)
  chain.setUnavailable(false)
  expect(await signer.payoutBecomes(body, 'failed')).toMatchObject({ reason: 'approval_expired' })
  expect(leaving(body)).toEqual([])
})

test('refuses an amount above the limit of a day, and has one wait that a day no longer allows', async () => {
  const [first, second] = [
    newPayout({ asset: 'USDC', amount: '7.5' }),
    newPayout({ asset: 'USDC', amount: '2.500001' }),
  ]
  const tooMuch = newPayout({ asset: 'USDC', amount: '10.000001' })
  await signer.approvePayout(tooMuch)
  expect(await signer.payout(tooMuch)).toMatchObject({ code: 'limit_reached' })
  expect(await signer.checkPayout(tooMuch)).toMatchObject({
    code: 'limit_reached',
    details: [{ limit: '10', unit: 'ETH/USDC' }],
  })
  for (const body of [first, second]) await signer.approvePayout(body)
  await signer.payout(first)
  await isConfirmed(first)
  await signer.payout(second)
  await eventually(async () => {
    const answer = await signer.payout(second)
    return answer.ok && answer.value.payout.reason === 'limit_reached'
  })
  expect(leaving(second).length).toBeGreaterThan(0)
  expect(chain.sent.filter(({ sources }) => sources[0]?.amount === second.amount)).toEqual([])
  expect(await signer.cancelPayout(second)).toMatchObject({ ok: true })
})

test('refuses to pay to the treasury itself', async () => {
  const body = newOwn({ to_address: TREASURY })
  await signer.approvePayout(body)
  expect(await signer.payout(body)).toEqual(
    refused('invalid_request', { field: 'to_address', reason: 'forbidden_address' }),
  )
})

test('has a payout wait while the treasury holds less, and sends it when it is filled', async () => {
  const body = newPayout({ amount: '777' })
  chain.setBalance(TREASURY_NUMBER, '776.9')
  await signer.approvePayout(body)
  await signer.payout(body)
  await eventually(async () => {
    const answer = await signer.payout(body)
    return answer.ok && answer.value.payout.reason === 'insufficient_funds'
  })
  chain.setBalance(TREASURY_NUMBER, '1000')
  signer.clock.advance(60_000)
  await isConfirmed(body)
})

test.each([
  ['to another address', { toAddress: ANOTHER }],
  ['from a deposit address', { sources: [{ index: 5, address: 'address-5', amount: '0.5' }] }],
  ['of a larger amount', { amount: '500' }],
])('sends nothing that was signed %s', async (_, change) => {
  const body = newOwn()
  const tampered: string[] = []
  chain.tamper((transfer) => {
    if (transfer.sources[0]?.amount !== body.amount) return transfer
    tampered.push(transfer.txId)
    return { ...transfer, ...change }
  })
  await signer.approvePayout(body)
  await signer.payout(body)
  await eventually(() => tampered.length > 0)
  expect(await signer.cancelPayout(body)).toMatchObject({ ok: true })
  expect(chain.sent.filter(({ txId }) => tampered.includes(txId))).toEqual([])
  expect(await kindsOf(body.payout_id)).toEqual(['approved', 'requested', 'failed'])
})

const insertRow = (body: PayoutBody, purpose: string, keyIndex: number | null) =>
  signer.sql(
    `INSERT INTO transfers (id, purpose, network, asset, to_address, order_id, key_index, amount, status, created_at,
      updated_at, due_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'requested', now(), now(), now())`,
    [
      ...[body.payout_id, purpose, body.network, body.asset, body.to_address],
      ...[purpose === 'refund' ? newId('cryptoOrder') : null, keyIndex, body.amount],
    ],
  )

test.each([
  ['that nobody approved', {}, false, 'not_approved'],
  ['of which the address was changed', { to_address: ANOTHER }, true, 'another_approved'],
  ['of which the amount was changed', { amount: '900' }, true, 'another_approved'],
] as const)(
  "signs nothing for the password of the signer's database that inserts a payout %s",
  async (_, change, isApproved, failure) => {
    const body = newPayout({ amount: '0.75' })
    if (isApproved) await signer.approvePayout(body)
    await insertRow({ ...body, ...change }, 'payout', TREASURY_NUMBER)
    await eventually(async () => (await kindsOf(body.payout_id)).includes('failed'))
    const [row] = await signer.sql('SELECT failure FROM transfers WHERE id = $1', [body.payout_id])
    expect(row?.['failure']).toBe(failure)
    expect(leaving({ ...body, ...change })).toEqual([])
  },
)

test('spends from the treasury for a payout alone, and for a payout from the treasury alone', async () => {
  const [asRefund, asPayout] = [newPayout({ amount: '0.76' }), newPayout({ amount: '0.77' })]
  const refund = newRefund({
    refund_id: asRefund.payout_id.replace(/^pay_/, 'rfd_'),
    ...{ key_index: TREASURY_NUMBER, address: TREASURY, amount: '0.76' },
  })
  await signer.approve(refund)
  expect(await signer.refund(refund)).toMatchObject({ code: 'invalid_request' })
  await insertRow({ ...asRefund, payout_id: refund.refund_id }, 'refund', TREASURY_NUMBER)
  await expect(insertRow(asPayout, 'payout', 5)).rejects.toThrow('transfers_refund')
  const later = newOwn()
  await signer.approvePayout(later)
  await signer.payout(later)
  await isConfirmed(later)
  expect([...leaving(asRefund), ...leaving(asPayout)]).toEqual([])
})

test('sends a payout once although its row was deleted and it was requested again', async () => {
  const body = newOwn()
  await signer.approvePayout(body)
  await signer.payout(body)
  await isConfirmed(body)
  await signer.sql('DELETE FROM transfers WHERE id = $1', [body.payout_id])
  expect(await signer.payout(body)).toMatchObject({ ok: false, code: 'internal_error' })
  await insertRow(body, 'payout', TREASURY_NUMBER)
  await eventually(async () => (await signer.payout(body)).ok)
  expect(chain.sent.filter(({ sources }) => sources[0]?.amount === body.amount)).toHaveLength(1)
})

test('fails a payout that can never be sent', async () => {
  const body = newOwn()
  chain.refuse(new TransferError('below_dust', 'The fee leaves nothing'))
  await signer.approvePayout(body)
  await signer.payout(body)
  expect(await signer.payoutBecomes(body, 'failed')).toMatchObject({ reason: 'below_dust' })
})
