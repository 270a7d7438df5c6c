import { RailError } from '../rail-error.ts'
import type { Endpoints, Witness } from './endpoints.ts'

/* Agreement about a chain whose blocks are final when they are read: nobody may differ in one, at any height. */

/** @throws RailError of an endpoint when none answered */
const answersOf = <E, T>(witnesses: readonly Witness<E, T>[]): readonly T[] => {
  const answers = witnesses.flatMap((witness) => ('value' in witness ? [witness.value] : []))
  const failures = witnesses.flatMap((witness) => ('error' in witness ? [witness.error] : []))
  const failure = failures.find(({ retryable }) => retryable) ?? failures[0]
  if (answers.length === 0 && failure) throw failure
  return answers
}

const half = (count: number): number => Math.ceil(count / 2)

/**
 * The highest number that at least half of the endpoints that answer have reached.
 * @throws RailError when none answers
 */
export const agreedNumber = async <E>(
  endpoints: Endpoints<E>,
  read: (endpoint: E) => Promise<number>,
): Promise<number> => {
  const numbers = answersOf(await endpoints.all(read)).toSorted((a, b) => b - a)
  return numbers[half(numbers.length) - 1] ?? 0
}

/**
 * Returns the value that the endpoints agree on; null while fewer than half of those that respond have one.
 * @param read its results agree if they are equal as JSON
 * @throws RailError, a retryable one when they differ
 */
export const agreedAnswer = async <E, T>(
  endpoints: Endpoints<E>,
  what: string,
  read: (endpoint: E) => Promise<T | null>,
): Promise<T | null> => {
  const answers = answersOf(await endpoints.all(read))
  const [first = null, ...others] = answers.filter((answer) => answer !== null)
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new RailError('unavailable', `endpoints disagree on ${what}`)
  return others.length + 1 >= half(answers.length) ? first : null
}
