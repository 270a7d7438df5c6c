import { ASSET_DECIMALS, toUnits, type Deposit } from '@causeway/rails'

/** A deposit of a page, and whether any of its entries reached the depth at which it counts. */
export type ReportedDeposit = Deposit & Readonly<{ isConfirmed: boolean }>

const MAX_INT4 = 2 ** 31 - 1

const isExact = ({ amount, asset }: Deposit): boolean => {
  try {
    return toUnits(amount, ASSET_DECIMALS[asset]) > 0n
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Whether an entry of the feed can be stored as a deposit: an invalid one must not stop those behind it. */
export const isValid = (deposit: Deposit): boolean =>
  isExact(deposit) && deposit.outputIndex <= MAX_INT4 && deposit.confirmations <= MAX_INT4

export const keyOf = (deposit: Pick<Deposit, 'network' | 'txId' | 'outputIndex'>): string =>
  `${deposit.network}/${deposit.txId}/${deposit.outputIndex}`

/**
 * The deposits of a page of the feed, each once, in its latest state and in the order of first entries. A repeated
 * entry adds nothing; a late entry with fewer confirmations does not undo a depth that was reached.
 */
export const readPage = (
  entries: readonly Deposit[],
  depths: Readonly<Record<string, number>>,
): ReportedDeposit[] => {
  const deposits = new Map<string, ReportedDeposit>()
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    const key = keyOf(entry)
    const depth = depths[entry.network]
    const reachedDepth = depth !== undefined && entry.confirmations >= depth
    deposits.set(key, { ...entry, isConfirmed: reachedDepth || (deposits.get(key)?.isConfirmed ?? false) })
  }
  return [...deposits.values()]
}
