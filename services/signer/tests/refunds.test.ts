import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { TransferError } from '@causeway/rails/transfers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { signerRecord } from '../src/record/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests, type RefundBody, type RunningSigner } from './running-signer.ts'

const chain = createFakeChain()
const ANOTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
let signer: RunningSigner
beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]))
})
afterAll(() => signer.stop())
beforeEach(() => {
  chain.setUnavailable(false)
  chain.refuse(null)
  chain.reject(null)
  chain.tamper((transfer) => transfer)
  chain.setProgress({ state: 'waiting' })
})

const newFunded = (change: Partial<RefundBody> = {}) => {
  const body = newRefund(change)
  chain.setBalance(body.key_index, body.amount)
  return body
}
const sentFrom = (body: RefundBody) =>
  chain.sent.filter(({ sources }) => sources.some(({ index }) => index === body.key_index))
const kindsOf = async (subject: string) =>
  (await signerRecord.list(signer.db, { afterSequence: 0, limit: 10_000 }))
    .filter((link) => link.subject === subject)
    .map(({ kind }) => kind)
const refused = (code: string, detail: object) => ({
  ok: false,
  code,
  details: [expect.objectContaining(detail)],
})

describe('a refund that staff approve', () => {
  test('is signed, sent and confirmed, with each step recorded and the fee that was paid', async () => {
    const body = newFunded()
    expect(await signer.request(body)).toMatchObject({
      ok: true,
      value: { refund: { refund_id: body.refund_id, status: 'requested', amount: null, tx_id: null } },
    })
    const sent = await signer.becomes(body, 'broadcast')
    expect(sent).toMatchObject({ amount: '0.499', network_fee: '0.001', failure: null })
    chain.setProgress({ state: 'mined', confirmations: 3, networkFee: '0.0007' })
    expect(await signer.becomes(body, 'confirmed')).toEqual({
      ...sent,
      status: 'confirmed',
      network_fee: '0.0007',
    })
    expect(sentFrom(body).map(({ txId }) => txId)).toEqual([sent.tx_id])
    expect(await kindsOf(body.refund_id)).toEqual([
      'approved',
      'requested',
      'signed',
      'broadcast',
      'confirmed',
    ])
    expect(await signerRecord.verify(signer.db, [])).toMatchObject({ ok: true })
  })

  test('has its signed transaction on record before it is sent to any node', async () => {
    const body = newFunded()
    const broadcast = chain.transfers.broadcast
    const seen: string[][] = []
    const spy = { ...chain.transfers }
    Object.assign(chain.transfers, {
      broadcast: async (...[transfer, signal]: Parameters<typeof broadcast>) => {
        const links = await signerRecord.list(signer.db, { afterSequence: 0, limit: 10_000 })
        seen.push(
          links
            .filter(({ record }) => record.includes(transfer.rawTransactions[0] ?? '-'))
            .map(({ kind }) => kind),
        )
        return spy.broadcast(transfer, signal)
      },
    })
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
    Object.assign(chain.transfers, { broadcast })
    expect(seen[0]).toEqual(['signed'])
  })

  test('is one transfer however often it is requested concurrently', async () => {
    const body = newFunded()
    await signer.approve(body)
    const answers = await Promise.all(Array.from({ length: 8 }, () => signer.refund(body)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    await signer.becomes(body, 'broadcast')
    expect(sentFrom(body)).toHaveLength(1)
    expect((await kindsOf(body.refund_id)).filter((kind) => kind === 'signed')).toHaveLength(1)
  })

  test('waits while its node is unavailable; what was signed meanwhile is sent first and alone', async () => {
    const body = newFunded()
    chain.setUnavailable(true)
    await signer.request(body)
    expect(await signer.refund(body)).toMatchObject({ value: { refund: { status: 'requested' } } })
    chain.setUnavailable(false)
    await signer.becomes(body, 'broadcast')
    expect(sentFrom(body)).toHaveLength(1)
  })

  test('fails with the reason when the chain did not execute it, and another can be approved and paid', async () => {
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
    chain.setProgress({ state: 'failed', reason: 'replaced', confirmations: 3, networkFee: '0' })
    expect(await signer.becomes(body, 'failed')).toMatchObject({ failure: 'replaced' })
    chain.setProgress({ state: 'waiting' })
    const again = { ...body, refund_id: newId('refund') }
    expect(await signer.refund(again)).toEqual(refused('not_refundable', { reason: 'not_approved' }))
    expect(await signer.request(again)).toMatchObject({ ok: true })
    await signer.becomes(again, 'broadcast')
  })
})

describe('a signed refund that no node takes', () => {
  const rejected = new TransferError('rejected', 'the nodes refuse the transaction: invalid signature')

  test('fails permanently if its content is invalid, and the next one of its network is signed and sent', async () => {
    chain.setProgress({ state: 'unknown' })
    chain.reject(rejected)
    const [body, next] = [newFunded(), newFunded()]
    await signer.request(body)
    await signer.becomes(body, 'signed')
    await signer.request(next)
    expect(await signer.becomes(body, 'failed')).toMatchObject({ failure: 'rejected' })
    chain.reject(null)
    await signer.becomes(next, 'broadcast')
    expect(sentFrom(body)).toEqual([])
    expect(sentFrom(next)).toHaveLength(1)
    expect(await kindsOf(body.refund_id)).toEqual(['approved', 'requested', 'signed', 'failed'])
  })

  test('fails once the transaction that replaced it is deep enough, not before', async () => {
    chain.setProgress({ state: 'failed', reason: 'replaced', confirmations: 2, networkFee: '0' })
    chain.reject(rejected)
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'signed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await signer.refund(body)).toMatchObject({ value: { refund: { status: 'signed' } } })
    chain.setProgress({ state: 'failed', reason: 'replaced', confirmations: 3, networkFee: '0' })
    expect(await signer.becomes(body, 'failed')).toMatchObject({ failure: 'replaced' })
  })

  test.each(['waiting', 'mined'] as const)('counts as sent if it is %s', async (state) => {
    chain.setProgress(state === 'waiting' ? { state } : { state, confirmations: 1, networkFee: '0.001' })
    chain.reject(rejected)
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
  })
})

describe('the policy', () => {
  test('refuses and records a refund that nobody approved', async () => {
    const body = newFunded()
    expect(await signer.refund(body)).toEqual(refused('not_refundable', { reason: 'not_approved' }))
    // An approval that comes afterwards is enough: payments retries.
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
  })

  test('refuses and records an amount above what the chain shows as received, although payments states it', async () => {
    const body = newFunded()
    const larger = { ...body, amount: '0.500000000000000001' }
    await signer.request(larger)
    await eventually(async () => {
      expect(await signer.refund(larger)).toEqual(
        refused('amount_exceeds_remaining', { reason: 'insufficient_funds' }),
      )
      return true
    })
    expect(sentFrom(body)).toEqual([])
  })

  test('refuses and records a larger amount than was requested before', async () => {
    const body = newFunded({ amount: '0.4' })
    await signer.request(body)
    expect(await signer.refund({ ...body, amount: '0.41' })).toEqual(
      refused('amount_exceeds_remaining', { requested_before: '0.4' }),
    )
  })

  test('refuses and records an address that its own key does not derive', async () => {
    const body = newFunded({ address: 'address-of-another-wallet' })
    expect(await signer.request(body)).toEqual(
      refused('invalid_request', { field: 'address', reason: 'invalid_value' }),
    )
  })

  test('refuses and records a network for which it has no node', async () => {
    expect(await signer.request(newRefund({ network: 'LTC', asset: 'LTC' }))).toEqual(
      refused('not_refundable', { reason: 'network_without_node' }),
    )
  })

  test('refuses and records an amount too small for the network, and waits when a later attempt may pay it', async () => {
    const small = newFunded()
    chain.refuse(new TransferError('below_dust', 'too little'))
    await signer.request(small)
    await eventually(async () => {
      expect(await signer.refund(small)).toEqual(refused('nothing_to_refund', { reason: 'below_dust' }))
      return true
    })
    const dear = newFunded()
    chain.refuse(new TransferError('fee_above_limit', 'the fee is above the limit'))
    await signer.request(dear)
    expect(await signer.refund(dear)).toMatchObject({ value: { refund: { status: 'requested' } } })
    chain.refuse(null)
    await signer.becomes(dear, 'broadcast')
  })

  test.each([
    ['pays to another address', { toAddress: ANOTHER }],
    ['transfers more than requested', { amount: '0.5' }],
    ['spends from another address', { sources: [{ index: 4_711, address: 'x', amount: '0.5' }] }],
  ])('never sends a transaction that %s, even when its own code has signed it', async (_, change) => {
    const body = newFunded()
    let tampered = 0
    chain.tamper((transfer) => {
      if (transfer.sources[0]?.index !== body.key_index) return transfer
      tampered += 1
      return { ...transfer, ...change }
    })
    await signer.request(body)
    await eventually(() => tampered > 1)
    expect(await signer.refund(body)).toMatchObject({ value: { refund: { status: 'requested' } } })
    chain.tamper((transfer) => transfer)
    await signer.becomes(body, 'broadcast')
    expect(sentFrom(body)).toHaveLength(1)
  })
})
