import { metrics, type Logger } from '@causeway/chassis'
import { isValid, keyOf, type Entry } from './deposit-page.ts'
import type { Account } from './fold.ts'
import type { Stray } from './stray-store.ts'

const skipped = metrics.counter(
  'causeway_chain_deposits_passed_over_total',
  'Reports of deposits that are not a valid deposit for an order',
  ['reason'],
)

const reverted = metrics.counter(
  'causeway_deposits_reverted_total',
  'Counted deposits that a reorganisation removed',
)

/** An entry, and the order that its address belongs to. */
export type Located = Entry & Readonly<{ orderId: string }>

const placeOf = (entry: { network: string; address: string }) => `${entry.network}/${entry.address}`

export type Places = Readonly<{ located: readonly Located[]; others: readonly Entry[] }>

/** Finds the order of each entry: the one that its deposit was applied to, or the one at its address. */
export const locate = (
  entries: readonly Entry[],
  accounts: ReadonlyMap<string, Account>,
  strays: ReadonlyMap<string, Stray>,
): Places => {
  const byPlace = new Map(
    [...accounts.values()].map(({ order }) => [
      placeOf({ network: order.network, address: order.watchAddress }),
      order.id,
    ]),
  )
  const orderOf = (entry: Entry): string | null => {
    const stray = strays.get(keyOf(entry))
    return stray === undefined ? (byPlace.get(placeOf(entry)) ?? null) : stray.orderId
  }
  const located: Located[] = []
  const others: Entry[] = []
  for (const entry of entries) {
    const orderId = orderOf(entry)
    if (orderId === null) others.push(entry)
    else located.push({ ...entry, orderId })
  }
  return { located, others }
}

/** An entry that is nobody's is passed over, so that it cannot stop those behind it. */
export const logUnknown = ({ network, txId }: Entry, log: Logger): void => {
  skipped.inc({ reason: 'unknown_address' })
  log.warn({ event: 'deposit.unknown_address', network, txId }, 'Deposit belongs to no order')
}

/** A counted deposit is taken back; `orderId` is null where it named no order. */
export const logReverted = (
  { network, txId, blockNumber, orderId }: Pick<Stray, 'network' | 'txId' | 'blockNumber' | 'orderId'>,
  log: Logger,
): void => {
  reverted.inc()
  log.warn(
    { event: 'deposit.reverted', orderId, network, txId, blockNumber },
    'A reorganisation has removed a counted deposit',
  )
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
