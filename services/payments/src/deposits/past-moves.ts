import type { Asset, LedgerFactOf, Network } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { NOTHING, type Split } from '../crypto-orders/split.ts'
import {
  bookedDifference,
  bookedOf,
  difference,
  isNothingBooked,
  isSame,
  presentMove,
  type Booked,
} from './moves.ts'

type DepositMovedFact = LedgerFactOf<'deposit_moved'>
type Place = Readonly<{ network: Network; txId: string; outputIndex: number; asset: Asset }>

/** A deposit as it is stored. `split`: null where it does not count, or was not split yet. */
type PastDeposit = Place &
  Readonly<{
    amount: string
    countedAt: Date | null
    split: Split | null
    serviceFee: string
    settledAmount: string
    settledCents: number
  }>
type Owner = Parameters<typeof presentMove>[0]

/** Derived from the deposit: the facts of its moves have ids of events, which no row keeps. */
const pastId = ({ network, txId, outputIndex, asset }: Place): string =>
  `deposit_moved:${network}:${txId}:${outputIndex}:${asset}`

const unitsOf = (asset: Asset, amount: string): bigint =>
  amount.startsWith('-')
    ? -toUnits(amount.slice(1), ASSET_DECIMALS[asset])
    : toUnits(amount, ASSET_DECIMALS[asset])

const splitOf = (fact: DepositMovedFact): Split => ({
  open: unitsOf(fact.asset, fact.open),
  applied: unitsOf(fact.asset, fact.applied),
  excess: unitsOf(fact.asset, fact.excess),
  late: unitsOf(fact.asset, fact.late),
  foreign: unitsOf(fact.asset, fact.foreign),
})

const bookedByFact = (fact: DepositMovedFact): Booked => ({
  fee: unitsOf(fact.asset, fact.service_fee ?? '0'),
  settled: unitsOf(fact.asset, fact.settled_amount ?? '0'),
  cents: BigInt(fact.settled_cents ?? 0),
})

const depositOf = (fact: DepositMovedFact): PastDeposit => ({
  network: fact.network,
  txId: fact.tx_id,
  outputIndex: fact.output_index,
  asset: fact.asset,
  amount: fact.amount,
  countedAt: null,
  split: null,
  serviceFee: '0',
  settledAmount: '0',
  settledCents: 0,
})

const isUnsplit = ({ countedAt, split }: PastDeposit): boolean => countedAt !== null && split === null

/** A fact, or the deposit whose fact was made before, and which other rows contradict now. */
type Past = Readonly<{ facts: readonly DepositMovedFact[]; contradicted: readonly string[] }>

/**
 * Returns for each deposit of an order the move that its recorded facts lack, so that together they make its present split.
 * The deposit's moves and their times are not known, only the time since which it counts. One that was counted and not split
 * is left to the splitting, which records its whole split.
 */
export const pastMovesOf = (
  order: Owner,
  deposits: readonly PastDeposit[],
  moves: readonly DepositMovedFact[],
): Past => {
  const recorded = Map.groupBy(moves, (fact) => pastId(depositOf(fact)))
  const stored = new Map(deposits.map((deposit) => [pastId(deposit), deposit]))
  const facts: DepositMovedFact[] = []
  const contradicted: string[] = []
  for (const id of new Set([...stored.keys(), ...recorded.keys()])) {
    const known = recorded.get(id) ?? []
    const [first] = known
    const deposit = stored.get(id) ?? (first && depositOf(first))
    if (deposit === undefined || isUnsplit(deposit)) continue
    const split = deposit.split ?? NOTHING
    const missing = known.reduce((rest, fact) => difference(splitOf(fact), rest), split)
    const booked = known.reduce((rest, fact) => bookedDifference(bookedByFact(fact), rest), bookedOf(deposit))
    if (isSame(missing, NOTHING) && isNothingBooked(booked)) continue
    const at = deposit.countedAt?.toISOString() ?? first?.at
    if (at === undefined || known.some((fact) => fact.fact_id === id)) contradicted.push(id)
    else
      facts.push({ kind: 'deposit_moved', fact_id: id, at, ...presentMove(order, deposit, missing, booked) })
  }
  return { facts, contradicted }
}
