import { ASSET_DECIMALS, toUnits, type Deposit } from '@causeway/rails'

/** A deposit of a page and whether any of its entries had reached the depth at which it counts. */
export type Told = Deposit & Readonly<{ isDeep: boolean }>

const MAX_INT4 = 2 ** 31 - 1

const isExact = ({ amount, asset }: Deposit): boolean => {
  try {
    return toUnits(amount, ASSET_DECIMALS[asset]) > 0n
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Whether an entry of the feed can be a deposit at all: what cannot must not stop those behind it. */
export const isSound = (deposit: Deposit): boolean =>
  isExact(deposit) && deposit.outputIndex <= MAX_INT4 && deposit.confirmations <= MAX_INT4

export const keyOf = (deposit: Pick<Deposit, 'network' | 'txId' | 'outputIndex'>): string =>
  `${deposit.network}/${deposit.txId}/${deposit.outputIndex}`

/**
 * What a page of the feed tells, each deposit once: its latest standing, in the order in which the deposits were
 * first told. A repeated entry adds nothing; one that comes late and tells of fewer confirmations takes none away
 * that were reached.
 */
export const readPage = (entries: readonly Deposit[], depths: Readonly<Record<string, number>>): Told[] => {
  const told = new Map<string, Told>()
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    const depth = depths[entry.network]
    const isDeep = depth !== undefined && entry.confirmations >= depth
    told.set(keyOf(entry), { ...entry, isDeep: isDeep || (told.get(keyOf(entry))?.isDeep ?? false) })
  }
  return [...told.values()]
}
