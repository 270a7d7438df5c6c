import type { KeysetOrder } from '@causeway/chassis'
import type { Leaf } from './store.ts'

/** Accounts of a page. Each adds its leaf and its path to the proof, about 1.7 kB. */
const MAX_ACCOUNTS = 100

/** Where a page begins: an account and the number of a line in it. `seal` is the last one that the statement covers. */
export type Position = Readonly<{ seal: string; accountId: string; number: string }>

const INTEGER = /^\d{1,19}$/

/** Values of a cursor, which names where the next page begins. */
export const BY_LINE: KeysetOrder<Position | 'start'> = {
  start: 'start',
  write: (position) => (position === 'start' ? [] : [position.seal, position.accountId, position.number]),
  read([seal = '', accountId = '', number = '']) {
    return [seal, accountId, number].every((value) => INTEGER.test(value))
      ? { seal, accountId, number }
      : null
  },
}

/** Lines of one account on a page, by their numbers; none where `last` is below `first`. */
export type Part = Readonly<{ leaf: Leaf; first: bigint; last: bigint }>

/** True if an account has entries in the month, or money. */
export const isOfMonth =
  (month: string) =>
  (leaf: Leaf): boolean =>
    leaf.month === month || leaf.closing !== '0'

/** The numbers of an account's lines in a month. */
const numbersOf = (leaf: Leaf, month: string): readonly [first: bigint, last: bigint] => {
  const last = BigInt(leaf.last)
  return [leaf.month === month ? BigInt(leaf.first) : last + 1n, last]
}

type Cut = Readonly<{ month: string; limit: number; from: Position | 'start' }>

/** Selects the accounts and lines of a page. `next`: where the next page begins, or null. */
export const partsOf = (
  leaves: readonly Leaf[],
  { month, limit, from }: Cut,
): Readonly<{ parts: Part[]; next: Omit<Position, 'seal'> | null }> => {
  const begins = ({ accountId }: Leaf) => from === 'start' || accountId === from.accountId
  const parts: Part[] = []
  let left = BigInt(limit)
  for (const leaf of leaves.slice(leaves.findIndex(begins))) {
    const [begin, last] = numbersOf(leaf, month)
    const first = from !== 'start' && parts.length === 0 ? BigInt(from.number) : begin
    if (left === 0n || parts.length === MAX_ACCOUNTS)
      return { parts, next: { accountId: leaf.accountId, number: String(first) } }
    const end = last < first + left ? last : first + left - 1n
    parts.push({ leaf, first, last: end })
    if (end < last) return { parts, next: { accountId: leaf.accountId, number: String(end + 1n) } }
    left -= end - first + 1n
  }
  return { parts, next: null }
}
