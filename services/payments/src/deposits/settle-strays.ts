import { newId, type Clock, type Logger, type Transaction } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { ASSET_DECIMALS, MINIMUM_AMOUNTS, toUnits } from '@causeway/rails/networks'
import { saveDepositMoney, type DepositMoney } from '../unattributed-money/store.ts'
import { keyOf, type Entry } from './deposit-page.ts'
import { logReverted } from './entries.ts'
import { keepStrays, listSkippedAddresses, revertMoney, type Stray } from './stray-store.ts'

type Context = Readonly<{
  clock: Clock
  log: Logger
  /** Confirmations from which on a deposit counts. */
  confirmations: Readonly<Record<Network, number>>
}>

const newStray = ({ network, txId, outputIndex, asset, amount, address, shared }: Entry): Stray => ({
  network,
  txId,
  outputIndex,
  orderId: null,
  asset,
  amount,
  address,
  heldAt: shared?.address ?? address,
  sender: shared?.sender ?? null,
  confirmations: 0,
  blockNumber: null,
  blockHash: null,
  countedAt: null,
  hasMoney: false,
})

/**
 * A stray as an entry reports it. It counts by the same rule as a deposit of an order: from its depth on, and as long as
 * its block is on the chain.
 */
export const applyToStray = (known: Stray, entry: Entry, depth: number, now: Date): Stray => {
  const { blockHash, blockNumber, confirmations } = entry
  const isSameBlock = blockHash === null || blockHash === known.blockHash
  const { asset, amount } = isSameBlock ? known : entry
  const stays = known.countedAt !== null && blockHash === known.blockHash
  const counts = blockHash !== null && (stays || confirmations >= depth)
  const countedAt = counts ? (known.countedAt ?? now) : null
  return { ...known, asset, amount, confirmations, blockNumber, blockHash, countedAt }
}

/** Below the least that an order may ask for, it is kept and not listed: staff could not send it back for less. */
const isWorthListing = ({ asset, amount }: Stray): boolean => {
  const decimals = ASSET_DECIMALS[asset]
  return toUnits(amount, decimals) >= toUnits(MINIMUM_AMOUNTS[asset], decimals)
}

const isSameMoney = (a: Stray, b: Stray): boolean => a.asset === b.asset && a.amount === b.amount

const toMoney = (stray: Stray, receivedAt: Date): DepositMoney => ({
  id: newId('unattributedMoney'),
  kind: 'unknown',
  unit: `${stray.network}/${stray.asset}`,
  amount: stray.amount,
  orderId: null,
  partnerId: null,
  partnerCustomerId: null,
  merchantId: null,
  network: stray.network,
  txId: stray.txId,
  outputIndex: stray.outputIndex,
  address: stray.heldAt,
  sender: stray.sender,
  blockNumber: stray.blockNumber,
  receivedAt,
  endedBy: null,
})

/** Ends what the chain has taken back, and lists what counts now. */
const recordMoney = async (
  tx: Transaction,
  { log }: Context,
  changes: readonly Readonly<{ before: Stray; after: Stray }>[],
  now: Date,
): Promise<void> => {
  const gone = changes.filter(
    ({ before, after }) =>
      before.countedAt !== null && (after.countedAt === null || !isSameMoney(before, after)),
  )
  if (gone.length > 0)
    await revertMoney(
      tx,
      gone.map(({ before }) => before),
      now,
    )
  for (const { before } of gone) logReverted(before, log)
  const listed = changes
    .filter(
      ({ before, after }) =>
        after.countedAt !== null &&
        (before.countedAt === null ? !before.hasMoney : !isSameMoney(before, after)) &&
        isWorthListing(after),
    )
    .map(({ after }) => toMoney(after, after.countedAt ?? now))
  if (listed.length === 0) return
  await saveDepositMoney(tx, listed, now)
  for (const { id, kind, unit } of listed)
    log.warn(
      { event: 'deposit.unattributed', unattributedMoneyId: id, kind, orderId: null, unit },
      'Deposit counts for no order',
    )
}

/** Selects the platform's entries among those at no order's address: at a shared account, or at an address of a lost order. */
export const ownEntries = async (tx: Transaction, entries: readonly Entry[]): Promise<Set<Entry>> => {
  const others = entries.filter(({ shared }) => shared === undefined)
  const lost =
    others.length === 0
      ? []
      : await listSkippedAddresses(tx, {
          networks: others.map(({ network }) => network),
          addresses: others.map(({ address }) => address),
        })
  const places = new Set(lost.map(({ network, address }) => `${network}/${address}`))
  return new Set(
    entries.filter(
      ({ shared, network, address }) => shared !== undefined || places.has(`${network}/${address}`),
    ),
  )
}

/**
 * Keeps deposits that name no order where the chain has them now, and lists each for staff from its depth on (decisions
 * §52). What the chain takes back leaves the list.
 * @param known the strays that were kept before, locked
 */
export const settleStrays = async (
  tx: Transaction,
  context: Context,
  entries: readonly Entry[],
  known: ReadonlyMap<string, Stray>,
): Promise<void> => {
  if (entries.length === 0) return
  const now = context.clock.now()
  const strays = new Map<string, Readonly<{ before: Stray; after: Stray }>>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const before = strays.get(key)?.before ?? known.get(key) ?? newStray(entry)
    const current = strays.get(key)?.after ?? before
    strays.set(key, {
      before,
      after: applyToStray(current, entry, context.confirmations[entry.network], now),
    })
  }
  const changes = [...strays.values()]
  await keepStrays(
    tx,
    changes.map(({ after }) => after),
    now,
  )
  await recordMoney(tx, context, changes, now)
}
