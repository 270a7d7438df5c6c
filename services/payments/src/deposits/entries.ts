import { metrics, type Logger } from '@causeway/chassis'
import { isValid, type Entry } from './deposit-page.ts'
import type { Account } from './fold.ts'

const skipped = metrics.counter(
  'causeway_chain_deposits_passed_over_total',
  'Reports of deposits that are no deposit for an order',
  ['reason'],
)

/** An entry, and the order that its address belongs to. */
export type Located = Entry & Readonly<{ orderId: string }>

const placeOf = (entry: { network: string; address: string }) => `${entry.network}/${entry.address}`

/** Finds the order of each entry; an entry without one is skipped, so that it cannot stop those behind it. */
export const locate = (
  entries: readonly Entry[],
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
export const validEntries = (entries: readonly Entry[], log: Logger): Entry[] =>
  entries.filter((entry) => {
    if (isValid(entry)) return true
    skipped.inc({ reason: 'unsound' })
    log.error(
      { event: 'deposit.invalid', network: entry.network, txId: entry.txId },
      'Invalid deposit skipped',
    )
    return false
  })
