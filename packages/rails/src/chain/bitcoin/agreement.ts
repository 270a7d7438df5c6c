import { RailError } from '../../rail-error.ts'
import type { Endpoints, Witness } from '../endpoints.ts'
import type { BitcoinEndpoint } from './endpoint.ts'

type Tip = Readonly<{ number: number; hash: string }>

/** What the endpoints of a chain agree on. One that does not answer has no say. */
export type Agreement = Readonly<{
  /**
   * The newest block that at least half of them have and that none contradicts.
   * @throws RailError when they are on different chains for longer than a race of miners lasts
   */
  head: (signal?: AbortSignal) => Promise<Tip>
  /** The hash of the block of this height; null while less than half have one, or while they differ in it. */
  hashAt: (number: number, signal?: AbortSignal) => Promise<string | null>
}>

/** Two miners find a block at the same time; chains that differ in more blocks are no such race. */
const LONGEST_RACE = 6

type Answer<T> = Extract<Witness<BitcoinEndpoint, T>, { value: T }>

/** @throws RailError of an endpoint when none answered */
const answersOf = <T>(witnesses: readonly Witness<BitcoinEndpoint, T>[]): readonly Answer<T>[] => {
  const answers = witnesses.filter((witness) => 'value' in witness)
  const [failed] = witnesses
  if (answers.length === 0 && failed && 'error' in failed) throw failed.error
  return answers
}

const half = (count: number): number => Math.ceil(count / 2)

export const createAgreement = (endpoints: Endpoints<BitcoinEndpoint>): Agreement => {
  const hashesAt = async (number: number, signal?: AbortSignal) => {
    const answers = answersOf(await endpoints.all((endpoint) => endpoint.hashAt(number, signal)))
    const hashes = answers.flatMap(({ value }) => value ?? [])
    return { answered: answers.length, having: hashes.length, different: [...new Set(hashes)] }
  }
  /** The hash at this height when nobody differs there, nor at the tip of one that is behind. */
  const agreedAt = async (number: number, tips: readonly number[], signal?: AbortSignal) => {
    const [hash, ...others] = (await hashesAt(number, signal)).different
    if (hash === undefined || others.length > 0) return null
    for (const behind of new Set(tips.filter((tip) => tip < number)))
      if ((await hashesAt(behind, signal)).different.length > 1) return null
    return hash
  }
  const head = async (signal?: AbortSignal): Promise<Tip> => {
    const answers = answersOf(await endpoints.all((endpoint) => endpoint.tip(signal)))
    const tips = answers.map(({ value }) => value.number).toSorted((a, b) => b - a)
    const newest = tips[half(tips.length) - 1] ?? 0
    for (let number = newest; number >= 0 && number > newest - LONGEST_RACE; number--) {
      const hash = await agreedAt(number, tips, signal)
      if (hash !== null) return { number, hash }
    }
    const names = answers.map(({ endpoint, value }) => `${endpoint.name} at ${value.number}`).join(', ')
    throw new RailError('unavailable', `endpoints are on different chains: ${names}`)
  }
  return {
    head,
    hashAt: async (number, signal) => {
      const { answered, having, different } = await hashesAt(number, signal)
      if (different.length > 1) {
        // In a race nothing is there yet; chains that go apart further down are an error.
        await head(signal)
        return null
      }
      return having >= half(answered) ? (different[0] ?? null) : null
    },
  }
}
