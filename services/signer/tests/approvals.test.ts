import { createStatementSigner, newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { REFUND_APPROVAL_PURPOSE } from '@causeway/contracts'
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

test('sends unattributed money, which has no order, as it was approved, and under no order', async () => {
  const body = newFunded({ order_id: null, unattributed_money_id: 'umy_1' })
  await signer.approve(body)
  expect(await signer.refund({ ...body, order_id: newId('cryptoOrder') })).toEqual(
    refused('not_refundable', { reason: 'another_approved', field: 'order_id' }),
  )
  expect(await signer.refund(body)).toMatchObject({ ok: true })
  await signer.becomes(body, 'broadcast')
  expect(sentFrom(body)).toHaveLength(1)
})

describe('an approval', () => {
  test.each([
    ['another destination', { to_address: ANOTHER }],
    ["another order's address", { key_index: 4_712, address: 'address-4712' }],
    ['another asset', { asset: 'USDC' }],
    ['a larger amount', { amount: '978' }],
    ['another order', { order_id: newId('cryptoOrder') }],
    ['unattributed money', { unattributed_money_id: 'umy_other' }],
  ] as const)(
    'refuses a request from payments that names %s instead of what was approved',
    async (_, change) => {
      const body = newFunded()
      chain.setBalance(4_712, '978')
      await signer.approve(body)
      const [field] = Object.keys(change)
      expect(await signer.refund({ ...body, ...change })).toEqual(
        refused('not_refundable', {
          reason: 'another_approved',
          field: field === 'key_index' ? 'from_address' : field,
        }),
      )
      expect(await kindsOf(body.refund_id)).toEqual(['approved', 'refused'])
      // What was approved can still be paid, and nothing else under its name.
      expect(await signer.refund(body)).toMatchObject({ ok: true })
      expect(await signer.refund({ ...body, ...change })).toMatchObject({ ok: false })
      await signer.becomes(body, 'broadcast')
      expect(sentFrom(body).map(({ toAddress }) => toAddress)).toEqual([body.to_address])
    },
  )

  test('refuses a second refund after the first was deleted from the table', async () => {
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
    await signer.sql(`DELETE FROM transfers WHERE id = '${body.refund_id}'`)
    // The record has its step `requested`, and nothing that the signer's role can do takes it out.
    expect(await signer.refund(body)).toMatchObject({ ok: false, code: 'internal_error' })
    expect(sentFrom(body)).toHaveLength(1)
  })

  test('refuses a refund after it has expired, also when it expires before anything is signed', async () => {
    const late = newFunded()
    chain.setUnavailable(true)
    const soon = new Date(signer.clock.nowMs() + 60_000).toISOString()
    await signer.approve(late, { expires_at: soon })
    expect(await signer.refund(late)).toMatchObject({ value: { refund: { status: 'requested' } } })
    signer.clock.advance(60_000)
    chain.setUnavailable(false)
    await eventually(async () => {
      expect(await signer.refund(late)).toEqual(refused('not_refundable', { reason: 'approval_expired' }))
      return true
    })
    expect(await signer.approve(newFunded(), { expires_at: soon })).toEqual(
      refused('invalid_request', { field: 'statement' }),
    )
    expect(sentFrom(late)).toEqual([])
  })
})

describe("somebody with the password of the signer's database", () => {
  const append = (subject: string, record: object) =>
    signer.sql("SELECT record.append($1, 'approved', $2)", [subject, JSON.stringify(record)])
  const insert = (body: RefundBody) =>
    signer.sql(
      `INSERT INTO transfers (id, purpose, network, asset, to_address, order_id, key_index, amount, status, created_at,
        updated_at, due_at)
      VALUES ($1, 'refund', $2, $3, $4, $5, $6, $7, 'requested', now(), now(), now())`,
      [
        ...[body.refund_id, body.network, body.asset, body.to_address, body.order_id],
        ...[body.key_index, body.amount],
      ],
    )
  const isRefused = async (body: RefundBody, reason: string) => {
    await eventually(async () => {
      expect(await signer.refund(body)).toEqual(refused('not_refundable', { reason }))
      return true
    })
    expect(sentFrom(body)).toEqual([])
    expect(chain.signed.filter(({ sources }) => sources[0]?.index === body.key_index)).toEqual([])
  }

  test('gets nothing signed by appending an approval and inserting a row', async () => {
    const body = newFunded({ asset: 'USDC', amount: '760' })
    const statement = JSON.stringify(signer.approvalOf(body))
    await append(body.refund_id, { kind: 'approved', subject: body.refund_id, to_address: body.to_address })
    await append(body.refund_id, { kind: 'approved', statement, signature: 'A'.repeat(86) })
    await signer.sql("SELECT record.append($1, 'approved', 'not JSON')", [body.refund_id])
    await insert(body)
    await isRefused(body, 'not_approved')
  })

  test.each([
    ['the destination', { to_address: ANOTHER }],
    ['the amount', { amount: '978' }],
    ['the source', { key_index: 4_713 }],
  ])('gets nothing signed by changing %s in the row of an approved refund', async (_, change) => {
    const body = newFunded()
    chain.setBalance(4_713, '978')
    chain.setBalance(body.key_index, '978')
    await signer.approve(body)
    const changed = { ...body, ...change }
    await insert(changed)
    await eventually(async () => (await kindsOf(body.refund_id)).includes('failed'))
    expect(await kindsOf(body.refund_id)).toEqual(['approved', 'failed'])
    expect(sentFrom(changed)).toEqual([])
  })

  test('gets no approval of another purpose or key accepted', async () => {
    const body = newFunded()
    const statement = JSON.stringify(signer.approvalOf(body))
    const forged = createStatementSigner(REFUND_APPROVAL_PURPOSE, Buffer.alloc(32, 8))(statement)
    expect(await signer.sendApproval(statement, forged)).toEqual(
      refused('invalid_request', { field: 'signature' }),
    )
    expect(await kindsOf(body.refund_id)).toEqual([])
  })
})
