import { metrics, type Logger } from '@causeway/chassis'
import type { Deposit } from '@causeway/rails'
import { isValid } from './deposit-page.ts'
import type { Account } from './fold.ts'

const skipped = metrics.counter(
  'causeway_chain_deposits_passed_over_total',
  'Entries of the chain feed that are no deposit for an order',
  ['reason'],
)

/** An entry of the feed, and the order that its address belongs to. */
export type Located = Deposit & Readonly<{ orderId: string }>

const placeOf = (entry: { network: string; address: string }) => `${entry.network}/${entry.address}`

/** Finds the order of each entry; an entry without one is skipped, so that it cannot stop the feed. */
export const locate = (
  entries: readonly Deposit[],
  accounts: ReadonlyMap<string, Account>,
  log: Logger,
): Located[] => {
  const byPlace = new Map(
    [...accounts.values()].map(({ order }) => [
      placeOf({ network: order.network, address: order.watchAddress }),
      order.id,
    ]),
  )
  return entries.flatMap((entry) => {
    const orderId = byPlace.get(placeOf(entry))
    if (orderId !== undefined) return [{ ...entry, orderId }]
    skipped.inc({ reason: 'unknown_address' })
    log.warn(
      { event: 'deposit.unknown_address', network: entry.network, txId: entry.txId },
      'Deposit belongs to no order',
    )
    return []
  })
}

/** The entries that can be stored. */
export const validEntries = (entries: readonly Deposit[], log: Logger): Deposit[] =>
  entries.filter((entry) => {
    if (isValid(entry)) return true
    skipped.inc({ reason: 'unsound' })
    log.error(
      { event: 'deposit.invalid', network: entry.network, txId: entry.txId, seq: entry.seq },
      'Invalid entry of the chain feed skipped',
    )
    return false
  })
