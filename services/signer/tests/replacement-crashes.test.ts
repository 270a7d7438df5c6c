import { createLogger, newId } from '@causeway/chassis'
import type { SignedTransfer, TransferProgress } from '@causeway/rails/transfers'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createApprovalOpener } from '../src/refund-approvals/approvals.ts'
import { createSteps } from '../src/transfers/perform.ts'
import { findTransfer } from '../src/transfers/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { DEPTH, startForTests, type RunningSigner } from './running-signer.ts'

const TREASURY = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const AFTER = 3
/** More calls than any step makes. */
const CALLS_MAX = 60

const chain = createFakeChain()
let signer: RunningSigner
beforeAll(async () => {
  // Its own loop has no network: the test makes every step.
  signer = await startForTests(new Map())
})
beforeEach(() => chain.setProgress({ state: 'waiting' }))
afterAll(() => signer.stop())

class Crash extends Error {}

/** Ends the process, as far as the step sees it, at the n-th of the calls to these objects: before it, or after it. */
const crashAt = (n: number) => {
  let calls = 0
  const count = () => {
    calls += 1
    if (calls === n) throw new Crash()
  }
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, key) {
        const member: unknown = Reflect.get(object, key)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          count()
          const [run, ...others] = given
          const args =
            key === 'transaction' && typeof run === 'function'
              ? [(tx: object): unknown => Reflect.apply(run, null, [wrap(tx)]), ...others]
              : given
          const answer: unknown = Reflect.apply(member, object, args)
          if (!(answer instanceof Promise)) return answer
          return answer.then((value: unknown) => {
            count()
            return value
          })
        }
      },
    })
  return { wrap, wasReached: () => calls >= n }
}

let index = 0
/** A sweep of 1 ETH that is broadcast. */
const newSweep = async (): Promise<Readonly<{ id: string; first: SignedTransfer }>> => {
  const id = `sweep-${newId('event')}`
  index += 1
  const first: SignedTransfer = {
    ...{ network: 'ETH', asset: 'ETH', toAddress: TREASURY, amount: '0.999', networkFee: '0.001' },
    ...{ feeAsset: 'ETH', txId: `first-${index}`, rawTransactions: [`raw-${index}`], signedAt: 0 },
    sources: [{ index, address: `address-${index}`, amount: '1' }],
    spends: [`address-${index}/0`],
  }
  await chain.transfers.broadcast(first)
  const now = `'${signer.clock.now().toISOString()}'`
  await signer.sql(
    `INSERT INTO transfers (id, purpose, network, asset, to_address, status, signed, network_fee, created_at, updated_at,
       facts_kept)
     VALUES ('${id}', 'sweep', 'ETH', 'ETH', '${TREASURY}', 'broadcast', '${JSON.stringify(first)}', '0.001', ${now},
       ${now}, 'broadcast')`,
  )
  return { id, first }
}

const stepOf = async (id: string, wrap = <T extends object>(target: T): T => target) => {
  const { clock, db, config } = signer
  const { limits, replacements, approvalKeys } = config
  const step = createSteps(
    { clock, db: wrap(db), log: createLogger({ service: 'test', level: 'silent' }) },
    {
      ...{ limits, replacements, confirmations: DEPTH, againMs: 1_000 },
      ...{ openApproval: createApprovalOpener(approvalKeys), sweepAddresses: { ETH: TREASURY } },
      ...{ openPayoutApproval: () => null, payoutLimits: {} },
    },
  )
  const transfer = await findTransfer(db, { id })
  if (transfer === null) throw new Error('unknown transfer')
  return () => step(transfer, wrap(chain.transfers), new AbortController().signal)
}
const crash = async (id: string, n: number): Promise<boolean> => {
  const { wrap, wasReached } = crashAt(n)
  const step = await stepOf(id, wrap)
  await step().catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error
  })
  return wasReached()
}
const stateOf = async (id: string) => {
  const [row] = await signer.sql<{ status: string; signed: string; earlier: string; networkFee: string }>(
    `SELECT status, signed, earlier, network_fee AS "networkFee" FROM transfers WHERE id = '${id}'`,
  )
  const [recorded] = await signer.sql<{ txIds: string[] }>(
    `SELECT coalesce(json_agg(record::json -> 'signed' ->> 'txId'), '[]') AS "txIds" FROM record.records
     WHERE subject LIKE '${id}/%' AND kind = 'signed'`,
  )
  return {
    status: row?.status,
    networkFee: row?.networkFee,
    txId: (JSON.parse(row?.signed ?? '') as SignedTransfer).txId,
    earlier: (JSON.parse(row?.earlier ?? '') as SignedTransfer[]).map(({ txId }) => txId),
    recorded: recorded?.txIds,
  }
}
const sentOf = ({ sources }: SignedTransfer) =>
  chain.sent.filter(({ sources: [source] }) => source?.index === sources[0]?.index).map(({ txId }) => txId)

test('stores one replacement before it is sent, whichever call the process dies at', async () => {
  let n = 0
  for (let reached = true; reached && n < CALLS_MAX;) {
    n += 1
    const { id, first } = await newSweep()
    chain.mine(AFTER)
    reached = await crash(id, n)
    const after = await stateOf(id)
    expect([after.earlier, after.recorded]).toEqual(
      after.txId === first.txId ? [[], []] : [[first.txId], [after.txId]],
    )
    expect(sentOf(first)).toEqual([first.txId])
    for (const _ of [1, 2]) await (await stepOf(id))()
    const { txId, earlier, recorded } = await stateOf(id)
    expect([earlier, recorded]).toEqual([[first.txId], [txId]])
    expect(sentOf(first)).toEqual([first.txId, txId])
  }
  expect(n).toBeGreaterThan(10)
  expect(n).toBeLessThan(CALLS_MAX)
})

const FEE = '0.0007'
test.each(['first', 'second'] as const)(
  'ends a transfer with the %s version and its facts, whichever call the process dies at',
  async (taken) => {
    let n = 0
    for (let reached = true; reached && n < CALLS_MAX;) {
      n += 1
      const { id, first } = await newSweep()
      chain.mine(AFTER)
      await (
        await stepOf(id)
      )()
      const { txId: second } = await stateOf(id)
      const takenId = taken === 'first' ? first.txId : second
      chain.setProgressOf((txId): TransferProgress =>
        txId === takenId
          ? { state: 'mined', confirmations: DEPTH, networkFee: FEE }
          : { state: 'failed', reason: 'replaced', confirmations: DEPTH, networkFee: '0' },
      )
      reached = await crash(id, n)
      if ((await stateOf(id)).status === 'broadcast') await (await stepOf(id))()
      expect(await stateOf(id)).toMatchObject({ status: 'confirmed', txId: takenId, networkFee: FEE })
      const facts = await signer.sql<{ fact: { leaves: string; arrives: string } }>(
        `SELECT fact FROM ledger_facts WHERE fact_id = 'transfer_moved:${id}:confirmed'`,
      )
      expect(facts.map(({ fact: { leaves, arrives } }) => [leaves, arrives])).toEqual([
        ['1', taken === 'first' ? '0.999' : '0.9985'],
      ])
      chain.setProgress({ state: 'waiting' })
    }
    expect(n).toBeGreaterThan(5)
    expect(n).toBeLessThan(CALLS_MAX)
  },
)

test('makes one replacement when two replicas perform the same step', async () => {
  const { id, first } = await newSweep()
  chain.mine(AFTER)
  const steps = [await stepOf(id), await stepOf(id)]
  const signedBefore = chain.signed.length
  await Promise.all(steps.map((step) => step()))
  expect(chain.signed.length - signedBefore).toBe(2)
  await (
    await stepOf(id)
  )()
  const { txId, earlier, recorded } = await stateOf(id)
  expect([earlier, recorded]).toEqual([[first.txId], [txId]])
  expect(sentOf(first)).toEqual([first.txId, txId])
})

test('does not replace a transfer whose address is no longer the one of the settings', async () => {
  const { id, first } = await newSweep()
  await signer.sql(`UPDATE transfers SET to_address = 'another' WHERE id = '${id}'`)
  chain.mine(AFTER)
  await (
    await stepOf(id)
  )()
  expect(sentOf(first)).toEqual([first.txId])
  expect(await stateOf(id)).toMatchObject({ earlier: [], recorded: [] })
})
