import type { DailyTotal, EntryKind, LedgerAmount } from '@causeway/contracts'

/** The part of a page that a kind of entry belongs to. */
export type Group = 'received' | 'refunded' | 'disputed' | 'fees' | 'paid_out' | 'other'

const GROUP_OF: Readonly<Record<EntryKind, Group | null>> = {
  payment: 'received',
  deposit: 'received',
  deposit_reverted: 'received',
  refund: 'refunded',
  dispute: 'disputed',
  dispute_reversed: 'disputed',
  service_fee: 'fees',
  partner_fee: 'fees',
  fee_returned: 'fees',
  dispute_fee: 'fees',
  network_fee: 'fees',
  payout: 'paid_out',
  payout_fee: 'fees',
  payout_returned: 'paid_out',
  split: 'other',
  conversion: 'other',
  adjustment: 'other',
  // Transfers between balances of one owner, which are in no total.
  release: null,
  reserve: null,
  reserve_released: null,
}
const COUNTED: ReadonlySet<EntryKind> = new Set(['payment', 'deposit'])

/** Sums in the smallest part of a unit. Positive is what an owner received; `payments` is a number of entries. */
export type Sums = Readonly<Record<Group, bigint> & { payments: number }>

const NOTHING: Sums = {
  received: 0n,
  refunded: 0n,
  disputed: 0n,
  fees: 0n,
  paid_out: 0n,
  other: 0n,
  payments: 0,
}

/** More decimals than any asset has. */
const DECIMALS = 18

/** An amount of the books as an integer: minor units of a currency, 10⁻¹⁸ of an asset. */
const integerOf = (amount: LedgerAmount): bigint => {
  if (typeof amount === 'number') return BigInt(amount)
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}

/** The reverse of `integerOf`. */
export const amountOf = (integer: bigint, unit: string): LedgerAmount => {
  if (!unit.includes('/')) return Number(integer)
  const digits = (integer < 0n ? -integer : integer).toString().padStart(DECIMALS + 1, '0')
  const decimal = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
  return integer < 0n ? `-${decimal}` : decimal
}

/** An approximate amount for a drawing, in major units. @param decimals of the currency */
export const drawnAmount = (integer: bigint, unit: string, decimals: number): number =>
  Number(integer) / 10 ** (unit.includes('/') ? DECIMALS : decimals)

/** Adds totals of one unit up. */
export const sumUp = (totals: readonly DailyTotal[]): Sums => {
  const sums: Record<Group, bigint> & { payments: number } = { ...NOTHING }
  for (const { kind, amount, entries } of totals) {
    const group = GROUP_OF[kind]
    if (group !== null) sums[group] += integerOf(amount)
    if (COUNTED.has(kind)) sums.payments += entries
  }
  return sums
}
