import { beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createChainReader, type ChainReader } from '../../../tests/chain-reader.ts'
import { hasAnvil } from '../../../tests/ethereum/anvil.ts'
import { CHAIN_ID } from '../../../tests/ethereum/fixture.ts'
import { createLyingEndpoint, type Random, type View } from '../../../tests/ethereum/lying-endpoint.ts'
import { type RecordedForks, recordForks } from '../../../tests/ethereum/recorded-chain.ts'
import type { HttpExchange } from '../../http/exchange.ts'
import type { BlockSource, Transfer } from '../../chains.ts'
import { RailError } from '../../index.ts'
import { createEthereumBlockSource } from './block-source.ts'

/** Number of scripts; `pnpm soak:endpoints` runs 1,000. */
const SCRIPTS = Number(process.env['ENDPOINT_SCRIPTS'] ?? 200)
const PHASES = 3
const MOST_STEPS = 12
/** The second endpoint of three may be behind by this many blocks. */
const MOST_BEHIND = 2
const FAULTS = 0.2

type Paid = Omit<Transfer, 'outputIndex'>

/** xorshift32 */
const randomFrom = (seed: number): Random => {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const byPlace = (a: Paid, b: Paid) => `${a.txId} ${a.address}`.localeCompare(`${b.txId} ${b.address}`)
const withoutPlace = ({ outputIndex: _, ...paid }: Transfer): Paid => paid

;(hasAnvil() ? describe : describe.skip)('Ethereum endpoints that falsify their responses', () => {
  let recorded: RecordedForks
  let paidIn: Map<string, readonly Paid[]>

  beforeAll(async () => {
    recorded = await recordForks()
    paidIn = new Map(recorded.forks.flat().map(({ hash, paid }) => [hash, paid]))
  })

  const open = (count: number, random: Random) => {
    let nowMs = 0
    const endpoints = Array.from({ length: count }, () => createLyingEndpoint(random))
    const httpOf = (url: string): HttpExchange => {
      const endpoint = endpoints[Number(new URL(url).port) - 1]
      if (!endpoint) throw new Error(`nobody is at ${url}`)
      return endpoint.http
    }
    const source = createEthereumBlockSource({
      urls: endpoints.map((_, index) => `http://127.0.0.1:${index + 1}`),
      chainId: CHAIN_ID,
      tokens: recorded.tokens,
      timeoutMs: 1_000,
      nowMs: () => (nowMs += 200),
      openHttp: () => ({
        send: (call) => httpOf(call.url).send(call),
        close: () => Promise.resolve(),
      }),
    })
    return { endpoints, source, rest: () => (nowMs += 10_000) }
  }

  /** The fork that is canonical from now on, up to some block. */
  const nextTruth = (random: Random): View => {
    const fork = recorded.forks[Math.floor(random() * recorded.forks.length)] ?? []
    const length = recorded.shared + 2 + Math.floor(random() * (fork.length - recorded.shared - 1))
    return fork.slice(0, length)
  }
  const otherThan = (truth: View, random: Random): View => {
    const others = recorded.forks.filter((fork) => fork[recorded.shared + 1] !== truth[recorded.shared + 1])
    return others[Math.floor(random() * others.length)] ?? truth
  }

  /** A step that may fail as reading may, and nothing else. */
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    try {
      await step()
    } catch (error) {
      expect(error).toBeInstanceOf(RailError)
    }
  }
  const checkContents = (reader: ChainReader): void => {
    const newest = reader.blocks.at(-1)
    if (!newest) return
    const told = newest.transfers.map(withoutPlace).toSorted(byPlace)
    expect(told).toEqual((paidIn.get(newest.header.hash) ?? []).toSorted(byPlace))
  }

  const run = async (seed: number, count: number): Promise<void> => {
    const random = randomFrom(seed)
    const { endpoints, source, rest } = open(count, random)
    const first = await firstBlock(endpoints, source)
    const reader = createChainReader(source, first)
    const wasTrue = new Set<string>()
    let truth: View = []
    for (let phase = 0; phase < PHASES; phase += 1) {
      truth = nextTruth(random)
      for (const { hash } of truth) wasTrue.add(hash)
      for (const [index, endpoint] of endpoints.entries()) {
        const behind = truth.slice(
          0,
          Math.max(recorded.shared + 1, truth.length - Math.floor(random() * (MOST_BEHIND + 1))),
        )
        // One of several may show another fork, longer or not.
        const isForked = index === 0 && count > 1 && random() < 0.5
        endpoint.behave(isForked ? otherThan(truth, random) : index === 1 ? behind : truth, FAULTS)
      }
      const steps = Math.floor(random() * MOST_STEPS)
      for (let step = 0; step < steps; step += 1) {
        await attempt(reader.step)
        checkContents(reader)
        const newest = reader.blocks.at(-1)?.header.hash
        if (count > 2 && newest !== undefined) expect(wasTrue).toContain(newest)
      }
      await attempt(async () => {
        const head = await source.head()
        if (count > 2) expect(wasTrue).toContain(head.hash)
      })
    }
    rest()
    for (const endpoint of endpoints) endpoint.behave(truth, 0)
    await reader.catchUp()
    expect(reader.blocks.map(({ header }) => header.hash)).toEqual(truth.slice(1).map(({ hash }) => hash))
    const told = reader.blocks.flatMap(({ transfers }) => transfers)
    expect(told.map(withoutPlace).toSorted(byPlace)).toEqual(
      truth.flatMap(({ paid }) => paid).toSorted(byPlace),
    )
    expect(new Set(told.map(({ txId, outputIndex }) => `${txId}/${outputIndex}`)).size).toBe(told.length)
    await source.close()
  }
  const firstBlock = async (endpoints: ReturnType<typeof open>['endpoints'], source: BlockSource) => {
    const [trunk = []] = recorded.forks
    for (const endpoint of endpoints) endpoint.behave(trunk.slice(0, 1), 0)
    return source.head()
  }

  test(`misses no transfer, counts no transfer twice and reports no block incorrectly in ${SCRIPTS} random scripts`, async () => {
    await fc.assert(fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 3 }), run), {
      numRuns: SCRIPTS,
      endOnFailure: true,
    })
  })
})
