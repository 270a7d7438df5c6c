import type { SystemState } from '@causeway/chassis/exploration'
import type { LedgerFact } from '@causeway/contracts'
import { paid, refunded } from '../fixtures/facts.ts'

/** A payment on day 0 and its refund on day 1; both are released on day 2. */
export const FACTS: readonly LedgerFact[] = [paid(), refunded()]

/** `acked`: events that the stream delivers no more, by their places. */
export type World = Readonly<{ acked: readonly number[]; isCompared: boolean; day: number }>
export type PostingState = SystemState<World>

/** Deliveries of the stream: each event alone, twice, and all in both orders. */
export const deliveries = (acked: readonly number[]): number[][] => {
  const open = [...FACTS.keys()].filter((place) => !acked.includes(place))
  const alone = open.flatMap((place) => [[place], [place, place]])
  return open.length < 2 ? alone : [...alone, open, open.toReversed()]
}
