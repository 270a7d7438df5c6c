import type { Deposit, DepositPage, Transfer } from '@causeway/rails/chains'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'

/** A chain's report of a deposit: its current state, and the shared account that received it. */
export type Entry = Omit<Deposit, 'seq'> & Pick<Transfer, 'shared'>

const MAX_INT4 = 2 ** 31 - 1

const isExact = ({ amount, asset }: Entry): boolean => {
  try {
    return toUnits(amount, ASSET_DECIMALS[asset]) > 0n
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Checks whether an entry of the feed can be stored as a deposit: an invalid one must not block later ones. */
export const isValid = (deposit: Entry): boolean =>
  isExact(deposit) &&
  deposit.outputIndex <= MAX_INT4 &&
  deposit.confirmations <= MAX_INT4 &&
  (deposit.confirmations === 0) === (deposit.blockHash === null)

export const keyOf = (deposit: Pick<Deposit, 'network' | 'txId' | 'outputIndex'>): string =>
  `${deposit.network}/${deposit.txId}/${deposit.outputIndex}`

/** The entries of a page that were not read before, each once, in the feed's order. `next` below `from`: the feed is a new one. */
export const newEntries = ({ deposits, next }: DepositPage, from: number): Deposit[] => {
  const bySeq = new Map(deposits.map((entry) => [entry.seq, entry]))
  return [...bySeq.values()].filter(({ seq }) => seq > from || next < from).sort((a, b) => a.seq - b.seq)
}
