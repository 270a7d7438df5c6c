import { createLogger, implement, reply, serve } from '@causeway/chassis'
import { eventually, testReceiverKeys } from '@causeway/chassis/testing'
import { paidAddresses, type Asset } from '@causeway/contracts'
import type { SignedTransfer } from '@causeway/rails/transfers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { signerRecord } from '../src/record/store.ts'
import { startSweeps } from '../src/sweeps/store.ts'
import { moveSweep, pageOfSweep, type Sweep } from '../src/sweeps/position.ts'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests, type RunningSigner } from './running-signer.ts'

const VAULT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const PAGES = [
  'ord_01m8nx8jn5efqgx2a59kf3rmh2',
  'ord_01m8nx8jn5efqgx2a59kf3rmh3',
  'ord_01m8nx8jn5efqgx2a59kf3rmh4',
] as const
const chain = createFakeChain()
const held = new Set([1, 2, 3])
/** Pages of payments' list by order id, with the numbers of each. */
const pages = new Map<string | null, readonly number[]>([
  [null, [1, 2, 900]],
  [PAGES[0], [3]],
])
const asked: (string | null)[] = []
/** How often a sweep was signed, and what is done before its answer. */
let signings = 0
let whileSigning = () => Promise.resolve()
/** The record of each transaction when it is submitted to its node. */
const recordedBefore: string[][] = []
let signer: RunningSigner

beforeAll(async () => {
  Object.assign(chain.transfers, {
    signSweep: async ({
      fromIndices,
      asset,
      toAddress,
    }: {
      fromIndices: number[]
      asset: Asset
      toAddress: string
    }) => {
      const sources = fromIndices.filter((index) => held.has(index)).slice(0, 1)
      if (asset !== 'ETH' || sources.length === 0) return null
      signings += 1
      const signing = signings
      await whileSigning()
      const signed: SignedTransfer = {
        network: 'ETH',
        asset,
        sources: sources.map((index) => ({ index, address: `address-${index}`, amount: '1' })),
        toAddress,
        amount: '0.999',
        networkFee: '0.001',
        feeAsset: 'ETH',
        txId: `sweep ${signing} of ${sources.join()}`,
        rawTransactions: [`raw sweep ${signing} of ${sources.join()}`],
        spends: [],
        signedAt: 1,
      }
      return Promise.resolve(signed)
    },
    broadcast: async (transfer: SignedTransfer) => {
      const links = await signerRecord.list(signer.db, { afterSequence: 0, limit: 10_000 })
      const [raw = '-'] = transfer.rawTransactions
      recordedBefore.push(links.flatMap(({ record, kind }) => (record.includes(raw) ? kind : [])))
      chain.sent.push(transfer)
      for (const { index } of transfer.sources) held.delete(index)
      return Promise.resolve()
    },
  })
  chain.setProgress({ state: 'mined', confirmations: 3, networkFee: '0.001' })
  signer = await startForTests(new Map([['ETH', chain.transfers]]), { sweepAddresses: { ETH: VAULT } })
  serve(
    signer.bus,
    implement(paidAddresses, {
      list: async ({ body }) => {
        if (body.asset !== 'ETH') return reply({ key_indexes: [], next: null })
        asked.push(body.after)
        const found = pages.get(body.after)
        const next = PAGES[PAGES.findIndex((page) => page === body.after) + 1] ?? null
        return reply(
          found === undefined ? { key_indexes: [], next: null } : { key_indexes: [...found], next },
        )
      },
    }),
    {
      keys: testReceiverKeys(),
      service: 'payments',
      clock: signer.clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
})
afterAll(() => signer.stop())

/** Checks whether the round of ETH has ended: another one begins on command. */
const isOver = async (): Promise<boolean> =>
  (await signer.sql("SELECT due_at FROM sweeps WHERE asset = 'ETH'")).every(({ due_at }) => due_at === null)

test('sweeps the addresses of paid orders on command to the configured address, one transfer at a time', async () => {
  const refund = newRefund({ key_index: 700, address: 'address-700' })
  expect(chain.sent).toEqual([])
  expect(await startSweeps(signer.db, { now: signer.clock.now() })).toContainEqual({
    network: 'ETH',
    asset: 'ETH',
  })
  await eventually(() => held.size === 0)
  // All pages once more, in this round: nothing was passed yet.
  await eventually(() => asked.length > 5 && asked.at(-1) === PAGES[1])
  expect(chain.sent.map(({ toAddress, sources }) => [toAddress, sources.map(({ index }) => index)])).toEqual([
    [VAULT, [1]],
    [VAULT, [2]],
    [VAULT, [3]],
  ])
  expect(recordedBefore).toEqual([['signed'], ['signed'], ['signed']])
  expect(await signerRecord.verify(signer.db, [])).toMatchObject({ ok: true })
  // Nothing is paid back to where addresses are emptied to; a refund elsewhere goes its own way.
  expect(await signer.request(newRefund({ to_address: VAULT.toLowerCase() }))).toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'to_address', reason: 'forbidden_address' }],
  })
  chain.setBalance(700, refund.amount)
  expect(await signer.request(refund)).toMatchObject({ ok: true })
  await signer.becomes(refund, 'confirmed')
})

test('discards and signs again what was signed while a refund of the network was signed and sent', async () => {
  await eventually(isOver)
  const refund = newRefund({ key_index: 701, address: 'address-701' })
  chain.setBalance(701, refund.amount)
  const sweepsBefore = signings
  whileSigning = async () => {
    whileSigning = () => Promise.resolve()
    await signer.request(refund)
    await signer.becomes(refund, 'confirmed')
  }
  held.add(4)
  pages.set(PAGES[1], [4])
  await startSweeps(signer.db, { now: signer.clock.now() })
  await eventually(() => held.size === 0)
  await eventually(isOver)
  pages.delete(PAGES[1])
  expect(chain.sent.map(({ txId }) => txId)).not.toContain(`sweep ${sweepsBefore + 1} of 4`)
  expect(chain.sent.at(-1)?.txId).toBe(`sweep ${sweepsBefore + 2} of 4`)
})

test('checks skipped addresses again: late payments and amounts below their fee are swept', async () => {
  held.add(2)
  asked.length = 0
  await startSweeps(signer.db, { now: signer.clock.now() })
  await eventually(() => held.size === 0)
  expect(asked.slice(0, 2)).toEqual([PAGES[2], null])
  expect(chain.sent.at(-1)?.sources).toEqual([{ index: 2, address: 'address-2', amount: '1' }])
})

test('continues with new orders first, then checks a bounded number of earlier pages again, in turn', () => {
  let sweep: Sweep = {
    ...{ network: 'ETH', asset: 'ETH', afterOrderId: null, againAfterOrderId: null, againPages: 0 },
  }
  const seen: (string | null)[] = []
  /** A chain of 50 pages of which nothing is worth its fee. */
  const round = () => {
    for (let isOver = false; !isOver;) {
      const { afterOrderId } = pageOfSweep(sweep)
      const at = Number(afterOrderId ?? 0)
      seen.push(afterOrderId)
      ;({ sweep, isOver } = moveSweep(
        sweep,
        at === 50 ? { state: 'done' } : { state: 'empty', afterOrderId: String(at + 1) },
      ))
    }
  }
  round()
  expect(seen.slice(0, 51)).toEqual([null, ...Array.from({ length: 50 }, (_, at) => String(at + 1))])
  expect(seen).toHaveLength(51 + 20)
  for (let more = 0; more < 2; more += 1) round()
  // Each round asks for new orders once more; together three of them have looked at every page again.
  expect(new Set(seen.slice(51))).toEqual(new Set(seen.slice(0, 51)))
  expect(sweep.againAfterOrderId).toBeNull()
})
