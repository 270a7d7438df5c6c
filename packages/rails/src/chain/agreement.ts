import { RailError } from '../rail-error.ts'
import type { Endpoints, Witness } from './endpoints.ts'

/* The rule by which the endpoints of a chain that can be reorganised decide, the same for Ethereum, Bitcoin and Litecoin
 * (docs/chains/endpoints.md): at least half of all have to answer, and more than half of those that answer have to say the
 * same. */

/**
 * Returns the values of the endpoints that responded.
 * @throws RailError of one that failed when fewer than half responded: so few are not enough
 */
export const quorumOf = <E, T>(
  witnesses: readonly Witness<E, T>[],
): readonly Readonly<{ endpoint: E; value: T }>[] => {
  const answers = witnesses.filter((witness) => 'value' in witness)
  if (answers.length > 0 && answers.length >= witnesses.length / 2) return answers
  const errors = witnesses.flatMap((witness) => ('error' in witness ? [witness.error] : []))
  throw errors.find(({ retryable }) => retryable) ?? errors[0] ?? new RailError('unavailable', 'no endpoint')
}

/**
 * Returns what any endpoint reports; null if at least half of them respond and report nothing.
 * @throws RailError when fewer than half respond
 */
export const reportedByAny = async <E, T>(
  endpoints: Pick<Endpoints<E>, 'all'>,
  read: (endpoint: E) => Promise<T | null>,
): Promise<T | null> => {
  const witnesses = await endpoints.all(read)
  const found = witnesses.find((witness) => 'value' in witness && witness.value !== null)
  if (found !== undefined && 'value' in found) return found.value
  return quorumOf(witnesses)[0]?.value ?? null
}

/** Votes that are more than half. */
const majorityOf = (votes: number): number => Math.floor(votes / 2) + 1

/** Returns a value whose key more than half of the values share, or null. */
export const agreed = <T>(values: readonly T[], keyOf: (value: T) => string): T | null => {
  const votes = new Map<string, number>()
  for (const value of values) {
    const count = (votes.get(keyOf(value)) ?? 0) + 1
    if (count >= majorityOf(values.length)) return value
    votes.set(keyOf(value), count)
  }
  return null
}

type Place = Readonly<{ number: number; hash: string }>

/** How a chain's blocks are asked for. */
export type Questions<E, B> = Readonly<{
  /** Asks every endpoint. */
  all: <T>(read: (endpoint: E) => Promise<T>, signal?: AbortSignal) => Promise<readonly Witness<E, T>[]>
  /** The newest block of an endpoint. */
  tip: (endpoint: E, signal?: AbortSignal) => Promise<B | null>
  /** The block of this height in an endpoint's chain; null above its tip. */
  at: (endpoint: E, number: number, signal?: AbortSignal) => Promise<B | null>
}>

/** Reads that the endpoints of a chain must agree on. */
export type Agreement<B> = Readonly<{
  /**
   * The newest block that a majority has.
   * @throws RailError when they are on different chains for longer than a race of miners lasts
   */
  head: (signal?: AbortSignal) => Promise<B>
  /**
   * The block of this height; null while no majority has one, or while they race for it.
   * @throws RailError as `head`
   */
  at: (number: number, signal?: AbortSignal) => Promise<B | null>
}>

/** Two miners find a block at the same time; chains that differ in more blocks are no such race. */
const LONGEST_RACE = 6

const hashOf = (block: Place | null): string => block?.hash ?? ''

export const createAgreement = <E extends Readonly<{ name: string }>, B extends Place>({
  all,
  tip,
  at,
}: Questions<E, B>): Agreement<B> => {
  const blockAt = async (number: number, signal?: AbortSignal) => {
    const answers = quorumOf(await all((endpoint) => at(endpoint, number, signal), signal))
    const blocks = answers.map(({ value }) => value)
    const hashes = new Set(blocks.filter((block) => block !== null).map(hashOf))
    return { block: agreed(blocks, hashOf), isDisputed: hashes.size > 1 }
  }
  const head = async (signal?: AbortSignal): Promise<B> => {
    const answers = quorumOf(await all((endpoint) => tip(endpoint, signal), signal))
    const tips = answers.map(({ value }) => value)
    const same = agreed(tips, hashOf)
    if (same !== null) return same
    const numbers = tips.map((block) => block?.number ?? -1).toSorted((a, b) => b - a)
    // What a majority has reached: one endpoint's stale or invented tip moves it nowhere.
    const reached = numbers[majorityOf(numbers.length) - 1] ?? -1
    for (let number = reached; number >= 0 && number > reached - LONGEST_RACE; number--) {
      const { block } = await blockAt(number, signal)
      if (block !== null) return block
    }
    const names = answers.map(({ endpoint, value }) => `${endpoint.name} at ${value?.number ?? 'no block'}`)
    throw new RailError('unavailable', `endpoints are on different chains: ${names.join(', ')}`)
  }
  return {
    head,
    at: async (number, signal) => {
      const { block, isDisputed } = await blockAt(number, signal)
      // In a race nothing is there yet; chains that go apart further down are an error.
      if (block === null && isDisputed) await head(signal)
      return block
    },
  }
}
