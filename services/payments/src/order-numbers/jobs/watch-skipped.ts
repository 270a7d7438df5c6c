import { startLoop, type Db, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import { NETWORKS, type Network } from '@causeway/contracts'
import type { Destinations } from '@causeway/rails/networks'
import { insertSkippedAddresses, listUnwatched } from '../store.ts'

const EVERY_MS = 10_000
/** Addresses in one statement: their derivation takes some 10 ms. */
const BATCH = 200

/**
 * Stores the addresses of the next skipped numbers, so that staff can tell whether a payment was for an order that was lost
 * in a restore. Those of a network without a receiving account wait until it has one.
 * @returns whether there may be more
 */
export const watchSkipped = async (db: Db, destinations: Destinations): Promise<boolean> => {
  const networks = NETWORKS.filter((network) => destinations.lastOf(network) > 0)
  const [range] = await listUnwatched(db, { networks, limit: BATCH })
  if (range === undefined) return false
  const { network, first, next, ending } = range
  const addresses: string[] = []
  for (let number = next; number < ending; number += 1)
    addresses.push(destinations.derive(network as Network, number).watchAddress)
  await insertSkippedAddresses(db, { network, first, from: next, ending, addresses })
  return true
}

export const startSkippedWatch = (
  { db, log }: Pick<KeylessServiceContext, 'db' | 'log'>,
  destinations: Destinations,
): Loop =>
  startLoop({
    name: 'skipped-numbers',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => watchSkipped(db, destinations),
  })
