import type { AddressTransfer, DepositPlace, OrderDeposit } from '@causeway/contracts'
import { FINALITY_DEPTHS, TREASURY_NETWORKS } from '@causeway/rails/networks'
import type { z } from 'zod'
import type { FollowedDeposit } from './store.ts'

type Place = Pick<OrderDeposit, 'place' | 'transfer'>

const without = (place: z.infer<typeof DepositPlace> | null): Place => ({ place, transfer: null })

/**
 * True if a transfer took a deposit from its address. On networks with outputs it names those that it spends. On others a
 * sweep, or the refund of an order, took all that had counted before it began, and a refund of unattributed money took the
 * deposit whose whole amount it sent back.
 */
const hasTaken = (deposit: FollowedDeposit, transfer: AddressTransfer): boolean => {
  const { coins, asset, unattributed_money_id: moneyId } = transfer
  if (coins !== null)
    return coins.some((coin) => coin.tx_id === deposit.txId && coin.output_index === deposit.outputIndex)
  if (asset !== deposit.asset || deposit.countedAt === null) return false
  if (moneyId !== null) return deposit.wholeMoneyIds.includes(moneyId)
  return Date.parse(transfer.started_at) >= deposit.countedAt.getTime()
}

const placeOf = (deposit: FollowedDeposit, transfers: readonly AddressTransfer[] | null): Place => {
  if (deposit.blockNumber === null) return without(null)
  if (!TREASURY_NETWORKS.has(deposit.network)) return without('account')
  if (transfers === null || deposit.heldElsewhere) return without('unknown')
  const taking = transfers.find((transfer) => hasTaken(deposit, transfer))
  if (taking === undefined) return without(deposit.sentByHand ? 'unknown' : 'address')
  const settled = taking.purpose === 'sweep' ? 'swept' : 'sent_back'
  return {
    place: taking.confirmed_at === null ? 'moving' : settled,
    transfer: {
      kind: taking.purpose,
      txId: taking.tx_id,
      startedAt: taking.started_at,
      confirmedAt: taking.confirmed_at,
      attribution: taking.coins === null ? 'address' : 'output',
    },
  }
}

/** A deposit that counts is not judged again with each block: the height of the chain says how deep it is. */
const confirmationsOf = ({ blockNumber, headNumber, confirmations }: FollowedDeposit): number =>
  blockNumber === null ? 0 : Math.max(confirmations, (headNumber ?? 0) - blockNumber + 1)

/**
 * Presents a deposit with its block and what took it from its address.
 * @param transfers those from the order's address, oldest first; null: not known
 */
export const followDeposit = (
  deposit: FollowedDeposit,
  transfers: readonly AddressTransfer[] | null,
): OrderDeposit => {
  const { network, countedAt } = deposit
  const confirmations = confirmationsOf(deposit)
  return {
    txId: deposit.txId,
    outputIndex: deposit.outputIndex,
    network,
    asset: deposit.asset,
    amount: deposit.amount,
    address: deposit.address,
    seenAt: deposit.seenAt.toISOString(),
    countedAt: countedAt?.toISOString() ?? null,
    reverted: deposit.reverted,
    blockNumber: deposit.blockNumber,
    blockHash: deposit.blockHash,
    confirmations,
    final: countedAt !== null && confirmations >= FINALITY_DEPTHS[network],
    ...placeOf(deposit, transfers),
  }
}
