import { RailError } from '../../rail-error.ts'
import type { Witness } from '../endpoints.ts'

/**
 * What those that answered have answered.
 * @throws RailError of one that failed when fewer than half of all answered: what the few say is not enough
 */
export const testimonies = <T>(witnesses: readonly Witness<unknown, T>[]): readonly T[] => {
  const values = witnesses.flatMap((witness) => ('value' in witness ? [witness.value] : []))
  if (values.length > 0 && values.length >= witnesses.length / 2) return values
  const errors = witnesses.flatMap((witness) => ('error' in witness ? [witness.error] : []))
  throw errors.find(({ retryable }) => retryable) ?? errors[0] ?? new RailError('unavailable', 'no endpoint')
}

/** Votes that are more than half. */
export const majorityOf = (votes: number): number => Math.floor(votes / 2) + 1

/** What more than half of these have in common by its key, or null. */
export const agreed = <T>(values: readonly T[], keyOf: (value: T) => string): T | null => {
  const votes = new Map<string, number>()
  for (const value of values) {
    const count = (votes.get(keyOf(value)) ?? 0) + 1
    if (count >= majorityOf(values.length)) return value
    votes.set(keyOf(value), count)
  }
  return null
}
