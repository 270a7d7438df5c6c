import { registry } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { TransferError, type SignedTransfer, type TransferProgress } from '@causeway/rails/transfers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { signerRecord } from '../src/record/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests, type RefundBody, type RunningSigner } from './running-signer.ts'

/** Blocks after which these tests replace a transfer. */
const AFTER = 3
const WAITING: TransferProgress = { state: 'waiting' }
const mined = (confirmations: number): TransferProgress => ({
  state: 'mined',
  confirmations,
  networkFee: '0.0007',
})
const replacedAt = (confirmations: number): TransferProgress => ({
  state: 'failed',
  reason: 'replaced',
  confirmations,
  networkFee: '0',
})

const chain = createFakeChain()
let signer: RunningSigner
beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]))
})
afterAll(() => signer.stop())
beforeEach(async () => {
  // Transfers of the tests before end here.
  await signer.sql('UPDATE transfers SET due_at = NULL, stuck_at = NULL')
  chain.setProgress(WAITING)
  chain.refuseReplacements(null)
  chain.tamper((transfer) => transfer)
})

const sentFrom = (body: RefundBody) =>
  chain.sent.filter(({ sources }) => sources.some(({ index }) => index === body.key_index))
/** A refund of 0.5 ETH that is broadcast and waits. */
const sendRefund = async (approval: Parameters<RunningSigner['approve']>[1] = {}) => {
  const body = newRefund()
  chain.setBalance(body.key_index, body.amount)
  await signer.approve(body, approval)
  await signer.refund(body)
  await signer.becomes(body, 'broadcast')
  return body
}
/** Lets the blocks pass that a replacement waits for, and waits until it is sent. */
const replaced = async (body: RefundBody): Promise<readonly SignedTransfer[]> => {
  const before = sentFrom(body).length
  chain.mine(AFTER)
  await eventually(() => sentFrom(body).length > before)
  return sentFrom(body)
}
const signedIn = async (id: string) =>
  (
    await signer.sql<{ subject: string; record: string }>(
      `SELECT subject, record FROM record.records
       WHERE kind = 'signed' AND (subject = '${id}' OR subject LIKE '${id}/%') ORDER BY sequence`,
    )
  ).map(({ subject, record }) => ({
    subject,
    txId: (JSON.parse(record) as { signed: SignedTransfer }).signed.txId,
  }))
const rowOf = async (id: string) =>
  (await signer.sql(`SELECT status, earlier, stuck_at FROM transfers WHERE id = '${id}'`))[0]

test('signs a refund again that no block took, and records each version before a node sees it', async () => {
  const body = await sendRefund()
  chain.mine(AFTER - 1)
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(sentFrom(body)).toHaveLength(1)
  chain.mine(1)
  await eventually(() => sentFrom(body).length === 2)
  const [first, second] = sentFrom(body)
  expect([first?.amount, first?.networkFee]).toEqual(['0.499', '0.001'])
  expect([second?.amount, second?.networkFee]).toEqual(['0.4985', '0.0015'])
  expect(second?.toAddress).toBe(body.to_address)
  expect(await signedIn(body.refund_id)).toEqual([
    { subject: body.refund_id, txId: first?.txId },
    { subject: `${body.refund_id}/2`, txId: second?.txId },
  ])
  expect(await signer.refund(body)).toMatchObject({
    value: { refund: { status: 'broadcast', tx_id: second?.txId, amount: '0.4985', network_fee: '0.0015' } },
  })
  expect(await signerRecord.verify(signer.db, [])).toMatchObject({ ok: true })
})

test('confirms the refund by the version that the chain took, with its amount and the fee that was paid', async () => {
  const body = await sendRefund()
  await replaced(body)
  const [first] = await replaced(body)
  chain.setProgressOf((txId) => (txId === first?.txId ? mined(3) : replacedAt(3)))
  expect(await signer.becomes(body, 'confirmed')).toMatchObject({
    ...{ tx_id: first?.txId, amount: '0.499', network_fee: '0.0007', failure: null },
  })
  const [confirmed] = await signer.sql<{ record: string }>(
    `SELECT record FROM record.records WHERE subject = '${body.refund_id}' AND kind = 'confirmed'`,
  )
  expect(JSON.parse(confirmed?.record ?? '')).toMatchObject({ tx_id: first?.txId, network_fee: '0.0007' })
})

test('follows a reorganisation that confirms the first version after the second had a block', async () => {
  const body = await sendRefund()
  const [first, second] = await replaced(body)
  chain.setProgressOf((txId) => (txId === second?.txId ? mined(2) : replacedAt(2)))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await rowOf(body.refund_id)).toMatchObject({ status: 'broadcast' })
  chain.setProgressOf((txId) => (txId === first?.txId ? mined(3) : replacedAt(3)))
  expect(await signer.becomes(body, 'confirmed')).toMatchObject({ tx_id: first?.txId, amount: '0.499' })
})

test('fails a refund only when each of its versions was replaced', async () => {
  const body = await sendRefund()
  const [first] = await replaced(body)
  chain.setProgressOf((txId) => (txId === first?.txId ? replacedAt(9) : WAITING))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await rowOf(body.refund_id)).toMatchObject({ status: 'broadcast' })
  chain.setProgress(replacedAt(3))
  expect(await signer.becomes(body, 'failed')).toMatchObject({ failure: 'replaced' })
})

test('leaves a refund stuck after its last version, and raises the gauge until a block includes it', async () => {
  const body = await sendRefund()
  await replaced(body)
  await replaced(body)
  chain.mine(AFTER)
  await eventually(async () => (await rowOf(body.refund_id))?.['stuck_at'] !== null)
  expect(sentFrom(body)).toHaveLength(3)
  const isCounted = async (stuck: number) =>
    (await registry.metrics()).includes(
      `causeway_signer_stuck_transfers{network="ETH",service_name="signer"} ${stuck}\n`,
    )
  await eventually(() => isCounted(1))
  chain.setProgress(mined(1))
  await eventually(async () => (await rowOf(body.refund_id))?.['stuck_at'] === null)
  await eventually(() => isCounted(0))
})

test('leaves a refund stuck while a limit refuses a higher fee, and replaces it when it no longer does', async () => {
  const body = await sendRefund()
  chain.refuseReplacements(new TransferError('fee_above_limit', 'ETH_GAS_PRICE_MAX'))
  chain.mine(AFTER)
  await eventually(async () => (await rowOf(body.refund_id))?.['stuck_at'] !== null)
  expect(sentFrom(body)).toHaveLength(1)
  chain.refuseReplacements(null)
  await eventually(() => sentFrom(body).length === 2)
  expect((await rowOf(body.refund_id))?.['stuck_at']).toBe(null)
})

test('replaces a refund whose approval has expired since it was signed', async () => {
  const body = await sendRefund({ expires_at: new Date(signer.clock.nowMs() + 60_000).toISOString() })
  signer.clock.advance(61_000)
  await replaced(body)
  expect(await signedIn(body.refund_id)).toHaveLength(2)
})

test.each([
  ['pays to another address', { toAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' }],
  ['moves more', { amount: '0.4986' }],
  ['spends from another address', { sources: [{ index: 1, address: 'address-1', amount: '0.5' }] }],
  ['spends another coin', { spends: ['address-1/1'] }],
  ['has no higher fee', { amount: '0.499', networkFee: '0.001' }],
  ['moves another asset', { asset: 'USDT' as const }],
])('never stores or sends a version that %s, even when its own code has signed it', async (_, change) => {
  const body = await sendRefund()
  let tampered = 0
  chain.tamper((transfer) => {
    if (transfer.sources[0]?.index !== body.key_index) return transfer
    tampered += 1
    return { ...transfer, ...change }
  })
  chain.mine(AFTER)
  await eventually(() => tampered > 1)
  expect(sentFrom(body)).toHaveLength(1)
  expect(await signedIn(body.refund_id)).toHaveLength(1)
  chain.tamper((transfer) => transfer)
  await eventually(() => sentFrom(body).length === 2)
})

test.each([
  ['recipient', "to_address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'"],
  ['amount', "amount = '0.6'"],
  ['source', 'key_index = key_index + 100000'],
])('replaces nothing whose %s was changed in the database', async (_, change) => {
  const body = await sendRefund()
  await signer.sql(`UPDATE transfers SET ${change} WHERE id = '${body.refund_id}'`)
  chain.mine(AFTER)
  await eventually(async () => (await rowOf(body.refund_id))?.['stuck_at'] !== null)
  expect(sentFrom(body)).toHaveLength(1)
  await signer.sql(`UPDATE transfers SET due_at = NULL WHERE id = '${body.refund_id}'`)
})

test('refuses an end stored by a service version that knows only the newest transaction', async () => {
  const body = await sendRefund()
  await replaced(body)
  await expect(
    signer.sql(`UPDATE transfers SET status = 'failed', due_at = NULL WHERE id = '${body.refund_id}'`),
  ).rejects.toThrow('transfers_all_versions')
})
