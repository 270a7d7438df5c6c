import type { Asset } from '@causeway/contracts'
import type { BlockSource } from '../src/chains.ts'

export type TestPayment = Readonly<{ asset: Asset; address: string; amount: string }>

/** Faults of every endpoint of a chain. `cut`: the connection ends in the middle of an answer. */
export type EndpointFault =
  'ok' | 'unreachable' | 'timeout' | 'reset' | 'error' | 'refuse' | 'throttle' | 'cut' | 'page'

/** A chain that can be told what happens on it, and the source under test. */
export type BlockSourceFixture = Readonly<{
  source: BlockSource
  /** The same, with calls that time out within a second. */
  impatient: BlockSource
  /** Assets that it can pay in. */
  assets: readonly Asset[]
  /** An address that nobody has paid yet, written as the `watchAddress` of a destination. */
  newAddress: () => string | Promise<string>
  /**
   * Sends these, each in a separate transaction unless the chain combines them; they wait for a block.
   * @returns transaction ids in the order of the payments
   */
  pay: (payments: readonly TestPayment[]) => Promise<readonly string[]>
  /** Mines blocks: pending transactions go into the first, the others are empty. */
  mine: (blocks: number) => Promise<void>
  /**
   * Others take the place of the newest blocks, at least as many; their transactions are gone or mined again in the
   * first of them. Null where a chain never takes back a block that it shows (SOL finalized, XRP validated).
   */
  reorganise: ((depth: number, transactions: 'dropped' | 'mined again') => Promise<void>) | null
  /** True if `pending` reports transfers before they are mined. */
  seesPending: boolean
  fault: (mode: EndpointFault) => Promise<void>
  stop: () => Promise<void>
}>
