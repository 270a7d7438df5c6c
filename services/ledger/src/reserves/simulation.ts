import { fixedReserve, orderReserve, TAKING, type OrderEntry, type ReserveTerms } from './rules.ts'

/** An entry of a merchant's available balances. `orderRef`: null for one that belongs to no order. */
export type SimulatedEntry = OrderEntry &
  Readonly<{ ownerId: string; unit: string; orderRef: string | null; balanceBefore: bigint }>

/** The amounts that a plan would have held in one unit, and which part of refunds and disputes it would have covered. */
export type UnitSimulation = Readonly<{
  unit: string
  maximum: bigint
  average: bigint
  covered: bigint
  taken: bigint
}>

/** Milliseconds since the epoch: from inclusive, to exclusive. */
type Period = Readonly<{ fromMs: number; toMs: number }>
/** A change of what is held at a time; the parts of it that a refund or dispute took. */
type Change = Readonly<{ atMs: number; held: bigint; covered: bigint; taken: bigint }>

/** The earliest date. */
const ALWAYS = new Date(-8_640_000_000_000_000)
const byTime = (one: OrderEntry, other: OrderEntry): number =>
  one.availableAt.getTime() - other.availableAt.getTime()

const sumOf = (entries: readonly OrderEntry[]): bigint =>
  entries.reduce((sum, { amount }) => sum + amount, 0n)

/** The changes of one order under a share, by the rule that the books follow. */
const changesOfOrder = (entries: readonly OrderEntry[], terms: ReserveTerms): Change[] => {
  const plans = [{ version: 1, terms, setAt: ALWAYS }]
  const times = new Set(entries.map(({ availableAt }) => availableAt.getTime()))
  const end = orderReserve(entries, plans, ALWAYS).until
  if (end !== null) times.add(end.getTime())
  let before = { held: 0n, sum: 0n }
  return [...times]
    .sort((one, other) => one - other)
    .map((atMs) => {
      const until = entries.filter(({ availableAt }) => availableAt.getTime() <= atMs)
      const after = { held: orderReserve(until, plans, new Date(atMs)).target, sum: sumOf(until) }
      const [held, moved] = [after.held - before.held, after.sum - before.sum]
      before = after
      const taken = moved < 0n ? -moved : 0n
      return { atMs, held, taken, covered: taken > 0n && held < 0n ? -held : 0n }
    })
}

/** The changes under a fixed amount. A payout takes no more than what the plan leaves. */
const changesOfFixed = (entries: readonly SimulatedEntry[], amount: bigint): Change[] => {
  const free = new Map<string, bigint>()
  const held = new Map<string, bigint>()
  return [...entries].sort(byTime).map((entry) => {
    const { ownerId, kind, availableAt } = entry
    const [own, had] = [held.get(ownerId) ?? 0n, free.get(ownerId) ?? entry.balanceBefore]
    const left = kind === 'payout' && entry.amount < 0n && -entry.amount > had ? 0n : had + entry.amount
    const elsewhere = [...held.values()].reduce((sum, each) => sum + each, -own)
    const after = fixedReserve(amount, { held: own, available: left, elsewhere })
    held.set(ownerId, after)
    free.set(ownerId, left + own - after)
    const taken = entry.amount < 0n && TAKING.has(kind) ? -entry.amount : 0n
    return {
      ...{ atMs: availableAt.getTime(), held: after - own, taken },
      covered: taken > 0n && after < own ? own - after : 0n,
    }
  })
}

const sweep = (unit: string, changes: readonly Change[], { fromMs, toMs }: Period): UnitSimulation => {
  const result = { unit, maximum: 0n, average: 0n, covered: 0n, taken: 0n }
  let held = 0n
  let sinceMs = fromMs
  let area = 0n
  const advance = (atMs: number) => {
    const untilMs = Math.min(Math.max(atMs, fromMs), toMs)
    area += held * BigInt(untilMs - sinceMs)
    if (untilMs > sinceMs && held > result.maximum) result.maximum = held
    sinceMs = untilMs
  }
  for (const change of [...changes].sort((one, other) => one.atMs - other.atMs)) {
    advance(change.atMs)
    held += change.held
    if (change.atMs < fromMs || change.atMs >= toMs) continue
    result.covered += change.covered
    result.taken += change.taken
  }
  advance(toMs)
  return { ...result, average: area / BigInt(toMs - fromMs) }
}

const changesOf = (entries: readonly SimulatedEntry[], terms: NonNullable<ReserveTerms>): Change[] => {
  if (terms.kind === 'fixed') return changesOfFixed(entries, terms.amount)
  const ofOrders = entries.filter(({ orderRef }) => orderRef !== null)
  const byOrder = Map.groupBy(ofOrders, ({ ownerId, orderRef }) => `${ownerId} ${orderRef}`)
  return [...byOrder.values()].flatMap((order) => changesOfOrder(order, terms))
}

/** Returns what a plan would have held and covered in a period, by unit. Nothing is limited by what payouts have taken. */
export const simulate = (
  entries: readonly SimulatedEntry[],
  terms: NonNullable<ReserveTerms>,
  period: Period,
): UnitSimulation[] => {
  const concerned = terms.kind === 'fixed' ? entries.filter(({ unit }) => unit === terms.unit) : entries
  return [...Map.groupBy(concerned, ({ unit }) => unit)]
    .map(([unit, own]) => sweep(unit, changesOf(own, terms), period))
    .sort((one, other) => (one.unit < other.unit ? -1 : 1))
}
