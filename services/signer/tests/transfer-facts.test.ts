import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { LedgerFactOf } from '@causeway/contracts'
import { TransferError, type SignedTransfer } from '@causeway/rails/transfers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { appendRecord } from '../src/record/store.ts'
import { createFactKeeping } from '../src/transfers/jobs/keep-facts.ts'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests, type RunningSigner } from './running-signer.ts'

const TREASURY = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const MINED = { state: 'mined', confirmations: 3, networkFee: '0.0007' } as const
const chain = createFakeChain()
let signer: RunningSigner

beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]))
})
beforeEach(async () => {
  chain.setProgress({ state: 'waiting' })
  chain.reject(null)
  await signer.sql('TRUNCATE ledger_facts')
})
afterAll(() => signer.stop())

type Row = Readonly<{ status?: string; networkFee?: string }>

/** Stores a sweep of 1 ETH that is signed, or a later state of it that no step follows. @returns its id */
const newSweep = async ({ status = 'signed', networkFee = '0.001' }: Row = {}) => {
  const id = `sweep-${newId('event')}`
  const transfer: SignedTransfer = {
    network: 'ETH',
    asset: 'ETH',
    sources: [{ index: 1, address: 'address-1', amount: '1' }],
    toAddress: TREASURY,
    amount: '0.999',
    networkFee: '0.001',
    feeAsset: 'ETH',
    txId: id,
    rawTransactions: [],
    spends: [],
    signedAt: 1,
  }
  const now = `'${signer.clock.now().toISOString()}'`
  await signer.sql(
    `INSERT INTO transfers (id, purpose, network, asset, to_address, status, signed, network_fee, created_at, updated_at,
       due_at)
     VALUES ('${id}', 'sweep', 'ETH', 'ETH', '${TREASURY}', '${status}', '${JSON.stringify(transfer)}', '${networkFee}',
       ${now}, ${now}, ${status === 'signed' ? now : 'NULL'})`,
  )
  return id
}
const statusOf = async (id: string): Promise<unknown> =>
  (await signer.sql(`SELECT status FROM transfers WHERE id = '${id}'`))[0]?.['status']
const becomes = (id: string, status: string) => eventually(async () => (await statusOf(id)) === status)
const factsOf = async (id: string) =>
  (
    await signer.sql(
      `SELECT fact FROM ledger_facts WHERE fact_id LIKE 'transfer_moved:${id}:%' ORDER BY seq, fact_id`,
    )
  ).map(({ fact }) => fact as LedgerFactOf<'transfer_moved'>)
const summaryOf = async (id: string) =>
  (await factsOf(id)).map(
    ({ step, leaves, arrives, network_fee: fee }) => `${step}: ${leaves}, ${arrives}, fee ${fee.amount}`,
  )
const timesInRecord = async (id: string) =>
  (await signer.sql(`SELECT record FROM record.records WHERE subject = '${id}' ORDER BY sequence`)).map(
    ({ record }) => (JSON.parse(String(record)) as { at: string }).at,
  )

describe('a sweep', () => {
  test('keeps a fact of each step, at the time that the record has', async () => {
    const id = await newSweep()
    await becomes(id, 'broadcast')
    expect(await summaryOf(id)).toEqual(['broadcast: 1, 0, fee 0.001'])
    chain.setProgress(MINED)
    await becomes(id, 'confirmed')
    expect(await summaryOf(id)).toEqual(['broadcast: 1, 0, fee 0.001', 'confirmed: 1, 0.999, fee 0.0007'])
    expect((await factsOf(id)).map(({ at }) => at)).toEqual(await timesInRecord(id))
    expect(await signer.events()).toEqual([])
  })

  test('takes its fact back when it fails after its broadcast, with the fee that the chain charged', async () => {
    const id = await newSweep()
    await becomes(id, 'broadcast')
    chain.setProgress({ state: 'failed', reason: 'reverted', confirmations: 3, networkFee: '0.0004' })
    await becomes(id, 'failed')
    expect(await summaryOf(id)).toEqual(['broadcast: 1, 0, fee 0.001', 'failed: 1, 0, fee 0.0004'])
  })

  test('has moved nothing when no node accepts it', async () => {
    chain.setProgress({ state: 'unknown' })
    chain.reject(new TransferError('rejected', 'the nodes refuse the transaction: invalid signature'))
    const id = await newSweep()
    await becomes(id, 'failed')
    expect(await summaryOf(id)).toEqual([])
  })

  test.each([
    ['its fact cannot be stored', 'ledger_facts', 'false'],
    ['its record cannot be stored', 'record.records', "kind <> 'broadcast'"],
  ])('makes neither a step nor its fact while %s', async (_, table, check) => {
    await signer.sql(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (${check}) NOT VALID`)
    const before = chain.sent.length
    const id = await newSweep()
    // The chain has it, and the step is tried again.
    await eventually(() => chain.sent.length > before)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect([await statusOf(id), await summaryOf(id), await timesInRecord(id)]).toEqual(['signed', [], []])
    await signer.sql(`ALTER TABLE ${table} DROP CONSTRAINT refused`)
    await becomes(id, 'broadcast')
    expect(await summaryOf(id)).toEqual(['broadcast: 1, 0, fee 0.001'])
    chain.setProgress(MINED)
    await becomes(id, 'confirmed')
  })
})

describe('a refund', () => {
  test.each([
    ['reverted', '0.0004', ['failed: 0, 0, fee 0.0004']],
    ['replaced', '0', []],
  ] as const)('has a fact if it is %s and cost a fee', async (reason, networkFee, expected) => {
    const body = newRefund()
    chain.setBalance(body.key_index, body.amount)
    await signer.request(body)
    await signer.becomes(body, 'broadcast')
    chain.setProgress({ state: 'failed', reason, confirmations: 3, networkFee })
    await signer.becomes(body, 'failed')
    expect(await summaryOf(body.refund_id)).toEqual(expected)
  })

  test('is left to payments once it is sent', async () => {
    const body = newRefund()
    chain.setBalance(body.key_index, body.amount)
    await signer.request(body)
    chain.setProgress(MINED)
    await signer.becomes(body, 'confirmed')
    expect(await summaryOf(body.refund_id)).toEqual([])
  })
})

describe('steps that a version without facts has made', () => {
  const isMore = () => createFactKeeping(signer)()
  const missing = async () =>
    Number(
      (
        await signer.sql(
          "SELECT count(*)::int AS n FROM transfers WHERE purpose = 'sweep' AND facts_kept IS NULL",
        )
      )[0]?.['n'],
    )
  const recordBroadcast = async (id: string) => {
    const now = signer.clock.now()
    await appendRecord(signer.db, { kind: 'broadcast', subject: id, now, tx_id: id })
    return now.toISOString()
  }

  test('have their facts kept, once, at the times of the record and the row', async () => {
    const confirmed = await newSweep({ status: 'confirmed', networkFee: '0.0007' })
    const broadcastAt = await recordBroadcast(confirmed)
    const failed = await newSweep({ status: 'failed' })
    await recordBroadcast(failed)
    const neverSent = await newSweep({ status: 'failed' })
    await signer.sql('ALTER TABLE ledger_facts ADD CONSTRAINT refused CHECK (false) NOT VALID')
    await expect(isMore()).rejects.toThrow('refused')
    await signer.sql('ALTER TABLE ledger_facts DROP CONSTRAINT refused')
    expect(await missing()).toBeGreaterThan(0)

    expect(await isMore()).toBe(false)
    expect(await missing()).toBe(0)
    expect(await summaryOf(confirmed)).toEqual([
      'broadcast: 1, 0, fee 0.001',
      'confirmed: 1, 0.999, fee 0.0007',
    ])
    expect((await factsOf(confirmed)).map(({ at }) => at)[0]).toBe(broadcastAt)
    expect(await summaryOf(failed)).toEqual(['broadcast: 1, 0, fee 0.001', 'failed: 1, 0, fee 0'])
    expect(await summaryOf(neverSent)).toEqual([])

    const kept = await signer.sql('SELECT * FROM ledger_facts ORDER BY fact_id')
    await signer.sql("UPDATE transfers SET facts_kept = NULL WHERE purpose = 'sweep'")
    expect(await isMore()).toBe(false)
    expect(await signer.sql('SELECT * FROM ledger_facts ORDER BY fact_id')).toEqual(
      expect.arrayContaining(kept),
    )
  })

  test('have their facts kept where another version has made the step before', async () => {
    const id = await newSweep()
    await becomes(id, 'broadcast')
    const [broadcast] = await factsOf(id)
    await signer.sql(`UPDATE transfers SET status = 'confirmed', due_at = NULL WHERE id = '${id}'`)
    await isMore()
    expect(await summaryOf(id)).toEqual(['broadcast: 1, 0, fee 0.001', 'confirmed: 1, 0.999, fee 0.001'])
    expect((await factsOf(id))[0]).toEqual(broadcast)
  })

  test('have the facts of a broadcast kept after this version has confirmed it', async () => {
    const id = await newSweep()
    await becomes(id, 'broadcast')
    await signer.sql(`UPDATE transfers SET facts_kept = NULL WHERE id = '${id}'`)
    await signer.sql('TRUNCATE ledger_facts')
    chain.setProgress(MINED)
    await becomes(id, 'confirmed')
    await isMore()
    expect((await summaryOf(id)).toSorted()).toEqual([
      'broadcast: 1, 0, fee 0.001',
      'confirmed: 1, 0.999, fee 0.0007',
    ])
  })
})
