import type { Asset } from '@causeway/contracts'
import type { BlockHeader, BlockSource } from './block-source.ts'
import { canonicalAddress } from './canonical-address.ts'
import { ASSET_DECIMALS } from './networks.ts'
import { toUnits } from './units.ts'

/** A payment to an address by a transaction of a block. */
export type PaymentProof = Readonly<{
  blockNumber: number
  /** Its own block is the first. */
  confirmations: number
  /** In the asset's smallest unit; 0 where it pays something else, or somebody else. */
  units: bigint
}>

export type PaymentQuery = Readonly<{
  /** As `canonicalTransactionId` returns it. */
  txId: string
  asset: Asset
  /** Any spelling that the network knows. XRP: with a tag in it, only payments with that tag are found. */
  address: string
}>

/**
 * Wei that contracts sent to an address in a block: how much its balance grew there beyond the transfers of other
 * transactions. What the address itself spent in the block makes this less.
 */
const sentByContracts = async (
  { next, transfers, balances }: BlockSource,
  block: BlockHeader,
  { txId, address }: PaymentQuery,
  signal?: AbortSignal,
): Promise<bigint> => {
  if (balances === undefined) return 0n
  const before = await next(block.number - 2, signal)
  if (before?.hash !== block.parentHash) return 0n
  const [[earlier = 0n], [later = 0n]] = await Promise.all([
    balances([address], before, signal),
    balances([address], block, signal),
  ])
  const listed = (await transfers(block, signal)).filter(
    (each) => each.address === address && each.asset === 'ETH',
  )
  const byOthers = listed.filter((each) => each.txId !== txId)
  const gained =
    later - earlier - byOthers.reduce((sum, { amount }) => sum + toUnits(amount, ASSET_DECIMALS.ETH), 0n)
  return gained > 0n ? gained : 0n
}

/**
 * Reads what a transaction has paid to an address, from the block of the canonical chain that contains it. An endpoint
 * only says in which block to look: the block proves the rest, as it does for deposits.
 * @returns null while no block contains the transaction
 * @throws RailError when there is no usable answer
 */
export const findPayment = async (
  source: BlockSource,
  query: PaymentQuery,
  signal?: AbortSignal,
): Promise<PaymentProof | null> => {
  const { network } = source
  const { txId, asset } = query
  const number = await source.blockOf(txId, signal)
  if (number === null) return null
  const [head, block] = await Promise.all([source.head(signal), source.next(number - 1, signal)])
  if (block?.number !== number || block.number > head.number) return null
  const address = canonicalAddress(network, query.address)
  // An X-address of XRP names a tag: a payment to the account without it has not arrived.
  const isExact = network === 'XRP' && address !== query.address
  const isPaid = (to: string) => (isExact ? to === query.address : canonicalAddress(network, to) === address)
  const all = await (source.transfersTo ?? source.transfers)(block, signal, address)
  const paid = all
    .filter((transfer) => transfer.txId === txId && transfer.asset === asset && isPaid(transfer.address))
    .reduce((sum, { amount }) => sum + toUnits(amount, ASSET_DECIMALS[asset]), 0n)
  const units =
    paid === 0n && network === 'ETH' && asset === 'ETH'
      ? await sentByContracts(source, block, { ...query, address }, signal)
      : paid
  return { blockNumber: number, confirmations: head.number - number + 1, units }
}
