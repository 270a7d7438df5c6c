import { newId, type Db, type Logger, type Transaction } from '@causeway/chassis'
import type { Asset, Network } from '@causeway/contracts'
import { endDifference, insertDifference } from '../differences/store.ts'
import { onChain } from '../posting/accounts.ts'
import * as store from './store.ts'

/** After a reading that found less than there should be, the next one confirms it this soon. */
const CONFIRM_AFTER_MS = 120_000

/** A complete reading of all addresses in one asset. */
export type Reading = Readonly<{
  network: Network
  asset: Asset
  /** Sum that addresses lack, in the asset's smallest unit. */
  missing: bigint
  shortOrders: readonly string[]
  /** The claim under which it was read. */
  until: Date
}>

type Context = Readonly<{ db: Db; log: Logger; everyMs: number }>

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Keeps the open difference of a unit as two readings agree on it. @returns true for a new one */
const settle = async (
  tx: Transaction,
  { network, asset, missing }: Reading,
  { before, now }: Readonly<{ before: bigint; now: Date }>,
): Promise<boolean> => {
  const [source, unit] = [`chain:${network}`, `${network}/${asset}`]
  const known = await store.getKnown(tx, { source, unit })
  const differenceId = known?.differenceId ?? null
  const explained = BigInt(known?.explained ?? 0)
  if (missing <= explained) {
    if (differenceId !== null) await endDifference(tx, { differenceId, now })
    return false
  }
  const confirmed = smaller(missing, before) - explained
  if (confirmed <= 0n) return false
  const { name: account } = onChain(network, 'deposits')
  const expected = BigInt((await store.getBalance(tx, { account, unit }))?.amount ?? 0)
  const amounts = { expected: String(expected), found: String(expected - confirmed) }
  if (differenceId !== null) {
    await store.restateDifference(tx, { differenceId, ...amounts })
    return false
  }
  await insertDifference(tx, {
    ...{ differenceId: newId('difference'), kind: 'sum', source, unit, foundUnit: unit, foundAt: now },
    ...{ lineId: null, itemSource: null, itemKind: null, orderKey: null, ownerId: null },
    ...amounts,
  })
  return true
}

/**
 * Records a reading. Less than there should be is a difference once two successive readings found it, and only as far as
 * both did: a reading may have fallen between a reorganisation and its correction. It ends with the first reading that
 * finds everything.
 */
export const recordReading = async (
  { db, log, everyMs }: Context,
  reading: Reading,
  now: Date,
): Promise<void> => {
  const { network, asset, missing, shortOrders, until } = reading
  const isNew = await db.transaction(async (tx) => {
    const last = await store.lockReading(tx, { network, asset, until })
    if (last === null) return false
    const before = BigInt(last.missing)
    const wait = missing > before ? Math.min(CONFIRM_AFTER_MS, everyMs) : everyMs
    await store.saveReading(tx, {
      ...{ network, asset, missing: String(missing), readAt: now },
      dueAt: new Date(now.getTime() + wait),
    })
    return settle(tx, reading, { before, now })
  })
  if (isNew)
    log.error(
      { event: 'ledger.chain_balance_short', network, asset, orderIds: shortOrders },
      'Addresses of orders hold less than they should: money left them without a transfer of the platform',
    )
}
