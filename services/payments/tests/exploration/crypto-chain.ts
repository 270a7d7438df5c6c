import {
  answered,
  failed,
  type Reaction,
  type Request,
  type SystemState,
} from '@causeway/chassis/exploration'
import { RailError } from '@causeway/rails'
import type { Deposit } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { ADDRESS } from './crypto-order-processes.ts'

/** Amount due. The payer may send all of it, half, and as much of another asset. */
export const DUE = 10
export const AMOUNTS = { whole: 10, half: 5, foreign: 10 } as const
export type TransactionName = keyof typeof AMOUNTS
export const isForeign = (name: TransactionName): boolean => name === 'foreign'

/** `gone`: removed by a reorganisation or replaced, and never seen again. */
type Place = 'unsent' | 'seen' | 'in a block' | 'deep' | 'gone'
type Entry = Readonly<{ seq: number; tx: TransactionName; confirmations: number }>

export type CryptoWorld = Readonly<{
  places: Readonly<Partial<Record<TransactionName, Place>>>
  /** The adapter's log, as far as it is not read yet, and its length with what is. */
  feed: readonly Entry[]
  lastSeq: number
  reorganisations: number
  /** Transactions that have reached the depth, also if their block is gone since. */
  reached: readonly TransactionName[]
  repeats: number
  begun: readonly string[]
  crashed: readonly string[]
  ticks: number
}>
export type CryptoState = SystemState<CryptoWorld>

const DEPTH = CONFIRMATION_DEPTHS.BTC
const NEXT: Readonly<Record<Place, readonly (readonly [Place, string])[]>> = {
  unsent: [['in a block', 'is in a block']],
  seen: [
    ['in a block', 'is in a block again'],
    ['gone', 'is replaced'],
  ],
  'in a block': [
    ['deep', 'is deep enough'],
    ['seen', 'leaves its block: reorganisation'],
    ['gone', 'is gone after a reorganisation'],
  ],
  deep: [
    ['seen', 'leaves its block: deep reorganisation'],
    ['gone', 'is gone after a deep reorganisation'],
  ],
  gone: [],
}
const CONFIRMATIONS: Readonly<Record<Place, number | null>> = {
  unsent: null,
  seen: 0,
  'in a block': 1,
  deep: DEPTH,
  // The adapter reports a block that is no more, and nothing of what is never seen again.
  gone: 0,
}

const isReorganisation = (from: Place, to: Place): boolean =>
  (from === 'in a block' || from === 'deep') && to !== 'deep'

const reported = (world: CryptoWorld, tx: TransactionName, confirmations: number | null): CryptoWorld => {
  if (confirmations === null) return world
  const seq = world.lastSeq + 1
  return { ...world, feed: [...world.feed, { seq, tx, confirmations }], lastSeq: seq }
}

/** How often the chain reorganises itself, and whether also deeper than the depth at which a deposit counts. */
type ChainScope = Readonly<{ reorganisations: number; isDeep: boolean; repeats: number }>

/** Returns the possible next steps of the chain. */
export const chainSteps = (world: CryptoWorld, scope: ChainScope) => {
  const moves = Object.entries(world.places).flatMap(([name, from]) =>
    NEXT[from].flatMap(([to, words]) => {
      const isReorg = isReorganisation(from, to)
      if (isReorg && world.reorganisations >= scope.reorganisations) return []
      if (from === 'deep' && !scope.isDeep) return []
      const confirmations = CONFIRMATIONS[to]
      const tx = name as TransactionName
      const moved = reported(world, tx, confirmations)
      const next: CryptoWorld = {
        ...moved,
        places: { ...world.places, [name]: to },
        reached: to === 'deep' && !world.reached.includes(tx) ? [...world.reached, tx].sort() : world.reached,
        reorganisations: world.reorganisations + (isReorg ? 1 : 0),
      }
      return [{ name: `the transaction of the ${name} ${words}`, world: next }]
    }),
  )
  const repeat = Object.entries(world.places).flatMap(([name, place]) =>
    place === 'deep' && world.repeats < scope.repeats
      ? [
          {
            name: `the chain reports the transaction of the ${name} once more`,
            world: { ...reported(world, name as TransactionName, DEPTH + 1), repeats: world.repeats + 1 },
          },
        ]
      : [],
  )
  return [...moves, ...repeat]
}

const depositOf = ({ seq, tx, confirmations }: Entry): Deposit => ({
  seq,
  network: 'BTC',
  // No asset of this network: what counts is that it is not the order's.
  asset: isForeign(tx) ? 'USDC' : 'BTC',
  address: ADDRESS,
  txId: tx,
  outputIndex: 0,
  amount: String(AMOUNTS[tx]),
  confirmations,
  blockNumber: confirmations === 0 ? null : 100,
  blockHash: confirmations === 0 ? null : `block of ${tx}`,
})

/** A page of the feed: all that there is, or the next entry alone. */
export const chainReactions = (
  request: Request,
  { world }: CryptoState,
): readonly Reaction<CryptoWorld>[] => {
  const { after } = request.args as { after: number }
  const all = world.feed.map(depositOf).filter(({ seq }) => seq > after)
  const page = (name: string, deposits: readonly Deposit[]) => ({
    name,
    world,
    answer: answered({ deposits, next: deposits.at(-1)?.seq ?? after }),
  })
  return [
    page('the chain gives all entries', all),
    ...(all.length > 1 ? [page('the chain gives one entry', all.slice(0, 1))] : []),
    {
      name: 'the chain does not answer',
      world,
      answer: failed(new RailError('timeout', 'timeout')),
      isFault: true,
    },
  ]
}
