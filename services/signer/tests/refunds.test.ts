import { createStatementSigner, newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { REFUND_APPROVAL_PURPOSE } from '@causeway/contracts'
import { TransferError } from '@causeway/rails/transfers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { verifyRecord } from '../src/record/log.ts'
import { listLinks } from '../src/record/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests, type RefundBody, type RunningSigner } from './running-signer.ts'

const chain = createFakeChain()
const ANOTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
let signer: RunningSigner
/** As somebody with the database's password. */
const execute = async (statement: string, values: readonly unknown[] = []) => {
  const client = new pg.Client({ connectionString: signer.databaseUrl })
  await client.connect()
  try {
    await client.query(statement, [...values])
  } finally {
    await client.end()
  }
}
beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]))
})
afterAll(() => signer.stop())
beforeEach(() => {
  chain.setAway(false)
  chain.refuse(null)
  chain.reject(null)
  chain.tamper((transfer) => transfer)
  chain.say({ state: 'waiting' })
})

const newFunded = (change: Partial<RefundBody> = {}) => {
  const body = newRefund(change)
  chain.hold(body.key_index, body.amount)
  return body
}
const sentFrom = (body: RefundBody) =>
  chain.sent.filter(({ sources }) => sources.some(({ index }) => index === body.key_index))
const kindsOf = async (subject: string) =>
  (await listLinks(signer.db, { afterSequence: 0, limit: 10_000 }))
    .filter((link) => link.subject === subject)
    .map(({ kind }) => kind)
const refused = (code: string, detail: object) => ({
  ok: false,
  code,
  details: [expect.objectContaining(detail)],
})

describe('a refund that staff approve', () => {
  test('is signed, sent and confirmed, each step recorded, and its fee is the one that was paid', async () => {
    const body = newFunded()
    expect(await signer.request(body)).toMatchObject({
      ok: true,
      value: { refund: { refund_id: body.refund_id, status: 'requested', amount: null, tx_id: null } },
    })
    const sent = await signer.becomes(body, 'broadcast')
    expect(sent).toMatchObject({ amount: '0.499', network_fee: '0.001', failure: null })
    chain.say({ state: 'mined', confirmations: 3, networkFee: '0.0007' })
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
    expect(await verifyRecord(signer.db, [])).toMatchObject({ ok: true })
  })

  test('has its signed transaction on record before any node is asked to take it', async () => {
    const body = newFunded()
    const broadcast = chain.transfers.broadcast
    const seen: string[][] = []
    const spy = { ...chain.transfers }
    Object.assign(chain.transfers, {
      broadcast: async (...[transfer, signal]: Parameters<typeof broadcast>) => {
        const links = await listLinks(signer.db, { afterSequence: 0, limit: 10_000 })
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

  test('is one transfer however often it is asked for at once', async () => {
    const body = newFunded()
    await signer.approve(body)
    const answers = await Promise.all(Array.from({ length: 8 }, () => signer.refund(body)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    await signer.becomes(body, 'broadcast')
    expect(sentFrom(body)).toHaveLength(1)
    expect((await kindsOf(body.refund_id)).filter((kind) => kind === 'signed')).toHaveLength(1)
  })

  test('waits while its node is away, and what was signed meanwhile is sent first and alone', async () => {
    const body = newFunded()
    chain.setAway(true)
    await signer.request(body)
    expect(await signer.refund(body)).toMatchObject({ value: { refund: { status: 'requested' } } })
    chain.setAway(false)
    await signer.becomes(body, 'broadcast')
    expect(sentFrom(body)).toHaveLength(1)
  })

  test('that the chain did not carry out fails with the reason, and another may be approved and paid', async () => {
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
    chain.say({ state: 'failed', reason: 'replaced', confirmations: 3 })
    expect(await signer.becomes(body, 'failed')).toMatchObject({ failure: 'replaced' })
    chain.say({ state: 'waiting' })
    const again = { ...body, refund_id: newId('refund') }
    expect(await signer.refund(again)).toEqual(refused('not_refundable', { reason: 'not_approved' }))
    expect(await signer.request(again)).toMatchObject({ ok: true })
    await signer.becomes(again, 'broadcast')
  })
})

describe('a signed refund that no node takes', () => {
  const rejected = new TransferError('rejected', 'the nodes refuse the transaction: invalid signature')

  test('for what is in it fails for good, and the next one of its network is signed and sent', async () => {
    chain.say({ state: 'unknown' })
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

  test('because another transaction has taken its place fails once that is deep enough, not before', async () => {
    chain.say({ state: 'failed', reason: 'replaced', confirmations: 2 })
    chain.reject(rejected)
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'signed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await signer.refund(body)).toMatchObject({ value: { refund: { status: 'signed' } } })
    chain.say({ state: 'failed', reason: 'replaced', confirmations: 3 })
    expect(await signer.becomes(body, 'failed')).toMatchObject({ failure: 'replaced' })
  })

  test.each(['waiting', 'mined'] as const)('but that is %s has been sent', async (state) => {
    chain.say(state === 'waiting' ? { state } : { state, confirmations: 1, networkFee: '0.001' })
    chain.reject(rejected)
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
  })
})

describe('the policy refuses, says so and records it', () => {
  test('a refund that nobody approved', async () => {
    const body = newFunded()
    expect(await signer.refund(body)).toEqual(refused('not_refundable', { reason: 'not_approved' }))
    // An approval that comes afterwards is enough: payments retries.
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
  })

  test.each([
    ['another destination', { to_address: ANOTHER }],
    ["another order's address", { key_index: 4_712, address: 'address-4712' }],
    ['another asset', { asset: 'USDC' }],
    ['a larger amount', { amount: '978' }],
    ['another order', { order_id: newId('cryptoOrder') }],
    ['unattributed money', { unattributed_money_id: 'umy_other' }],
  ] as const)('a request from payments that names %s than was approved', async (_, change) => {
    const body = newFunded()
    chain.hold(4_712, '978')
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
  })

  test('more than the chain says that the address has received, whatever payments says', async () => {
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

  test('a larger amount than was requested before', async () => {
    const body = newFunded({ amount: '0.4' })
    await signer.request(body)
    expect(await signer.refund({ ...body, amount: '0.41' })).toEqual(
      refused('amount_exceeds_remaining', { requested_before: '0.4' }),
    )
  })

  test('a refund twice by one approval, whoever removes the first from the table', async () => {
    const body = newFunded()
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
    await execute(`DELETE FROM transfers WHERE id = '${body.refund_id}'`)
    // The record has its step `requested`, and nothing that the signer's role can do takes it out.
    expect(await signer.refund(body)).toMatchObject({ ok: false, code: 'internal_error' })
    expect(sentFrom(body)).toHaveLength(1)
  })

  test('an address that its own key does not give', async () => {
    const body = newFunded({ address: 'address-of-another-wallet' })
    expect(await signer.request(body)).toEqual(
      refused('invalid_request', { field: 'address', reason: 'invalid_value' }),
    )
  })

  test('an approval that has expired, also when it expires before anything is signed', async () => {
    const late = newFunded()
    chain.setAway(true)
    const soon = new Date(signer.clock.nowMs() + 60_000).toISOString()
    await signer.approve(late, { expires_at: soon })
    expect(await signer.refund(late)).toMatchObject({ value: { refund: { status: 'requested' } } })
    signer.clock.advance(60_000)
    chain.setAway(false)
    await eventually(async () => {
      expect(await signer.refund(late)).toEqual(refused('not_refundable', { reason: 'approval_expired' }))
      return true
    })
    expect(await signer.approve(newFunded(), { expires_at: soon })).toEqual(
      refused('invalid_request', { field: 'statement' }),
    )
    expect(sentFrom(late)).toEqual([])
  })

  test('a network that it has no node of', async () => {
    expect(await signer.request(newRefund({ network: 'LTC', asset: 'LTC' }))).toEqual(
      refused('not_refundable', { reason: 'network_without_node' }),
    )
  })

  test('what is too little for the network, and waits for what a later try may pay', async () => {
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
    ['pays another address', { toAddress: ANOTHER }],
    ['moves more than was asked for', { amount: '0.5' }],
    ['spends from another address', { sources: [{ index: 4_711, address: 'x', amount: '0.5' }] }],
  ])('a transaction that %s is never sent, even when its own code has signed it', async (_, change) => {
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

describe("somebody with the password of the signer's database", () => {
  const append = (subject: string, record: object) =>
    execute("SELECT record.append($1, 'approved', $2)", [subject, JSON.stringify(record)])
  const insert = (body: RefundBody) =>
    execute(
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

  test('has nothing signed by an appended approval and a row in the table', async () => {
    const body = newFunded({ asset: 'USDC', amount: '760' })
    const statement = JSON.stringify(signer.approvalOf(body))
    await append(body.refund_id, { kind: 'approved', subject: body.refund_id, to_address: body.to_address })
    await append(body.refund_id, { kind: 'approved', statement, signature: 'A'.repeat(86) })
    await execute("SELECT record.append($1, 'approved', 'not JSON')", [body.refund_id])
    await insert(body)
    await isRefused(body, 'not_approved')
  })

  test.each([
    ['the destination', { to_address: ANOTHER }],
    ['the amount', { amount: '978' }],
    ['the source', { key_index: 4_713 }],
  ])('has nothing signed by changing %s in the row of an approved refund', async (_, change) => {
    const body = newFunded()
    chain.hold(4_713, '978')
    chain.hold(body.key_index, '978')
    await signer.approve(body)
    const changed = { ...body, ...change }
    await insert(changed)
    await eventually(async () => (await kindsOf(body.refund_id)).includes('failed'))
    expect(await kindsOf(body.refund_id)).toEqual(['approved', 'failed'])
    expect(sentFrom(changed)).toEqual([])
  })

  test('has no approval of another purpose or key accepted', async () => {
    const body = newFunded()
    const statement = JSON.stringify(signer.approvalOf(body))
    const forged = createStatementSigner(REFUND_APPROVAL_PURPOSE, Buffer.alloc(32, 8))(statement)
    expect(await signer.sendApproval(statement, forged)).toEqual(
      refused('invalid_request', { field: 'signature' }),
    )
    expect(await kindsOf(body.refund_id)).toEqual([])
  })
})
