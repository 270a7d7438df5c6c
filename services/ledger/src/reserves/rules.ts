import type { EntryKind } from '@causeway/contracts'

/** Terms of a reserve plan. `shareBps`: hundredths of a percent. Null: the plan has ended. */
export type ReserveTerms =
  | Readonly<{ kind: 'share'; shareBps: number; days: number }>
  | Readonly<{ kind: 'fixed'; amount: bigint; unit: string }>
  | null

/** A version of a merchant's plan, in force from `setAt` until the next one. */
export type ReservePlan = Readonly<{ version: number; terms: ReserveTerms; setAt: Date }>

/** An entry of an order in an owner's available balance, in one unit. `paidAt`: time of its fact. */
export type OrderEntry = Readonly<{
  source: string
  kind: EntryKind
  amount: bigint
  availableAt: Date
  paidAt: Date
  /** Its fact takes an earlier one back. */
  isReversal: boolean
}>

/** The amount that an order should have in reserve, and when that ends; null: it never had any. */
export type OrderReserve = Readonly<{ target: bigint; until: Date | null }>

const DAY_MS = 86_400_000
const BPS = 10_000n
const NO_RESERVE: OrderReserve = { target: 0n, until: null }

/** Kinds of entries that take from an order, or give back what was taken. */
export const TAKING: ReadonlySet<EntryKind> = new Set([
  'refund',
  'fee_returned',
  'dispute',
  'dispute_fee',
  'dispute_reversed',
  'deposit_reverted',
  'network_fee',
  'adjustment',
])

const sumOf = (entries: readonly OrderEntry[]): bigint =>
  entries.reduce((sum, { amount }) => sum + amount, 0n)

const isTaking = (entries: readonly OrderEntry[]): boolean =>
  sumOf(entries) < 0n || entries.some(({ kind, isReversal }) => isReversal || TAKING.has(kind))

/** Returns the plan that was in force at a time; null: none. @param plans in the order of their versions */
export const planAt = (plans: readonly ReservePlan[], at: Date): ReserveTerms =>
  plans.findLast(({ setAt }) => setAt <= at)?.terms ?? null

/**
 * Returns what an order's payment should have in reserve: the share of what it earned, rounded down, less what refunds and
 * disputes of it have taken, until the days of the plan that was in force when it was paid are over.
 */
export const orderReserve = (
  entries: readonly OrderEntry[],
  plans: readonly ReservePlan[],
  now: Date,
): OrderReserve => {
  const facts = [...Map.groupBy(entries, ({ source }) => source).values()]
  const earning = facts.filter((fact) => !isTaking(fact)).flat()
  const [first] = earning
  if (first === undefined) return NO_RESERVE
  const paidMs = Math.min(...earning.map(({ paidAt }) => paidAt.getTime()))
  const terms = planAt(plans, new Date(paidMs))
  if (terms?.kind !== 'share') return NO_RESERVE
  const availableMs = Math.max(...earning.map(({ availableAt }) => availableAt.getTime()))
  const until = new Date(availableMs + terms.days * DAY_MS)
  if (now >= until) return { target: 0n, until }
  const earned = sumOf(earning)
  const taken = earned - sumOf(entries)
  const left = (earned * BigInt(terms.shareBps)) / BPS - (taken > 0n ? taken : 0n)
  return { target: left > 0n ? left : 0n, until }
}

/**
 * Returns what a fixed plan holds of one owner's money: the whole amount less what it holds elsewhere, at most what the
 * owner has without it. It thereby covers a negative balance, and is refilled from later payments.
 */
export const fixedReserve = (
  amount: bigint,
  { held, available, elsewhere }: Readonly<{ held: bigint; available: bigint; elsewhere: bigint }>,
): bigint => {
  const [missing, had] = [amount - elsewhere, held + available]
  const target = missing < had ? missing : had
  return target > 0n ? target : 0n
}
