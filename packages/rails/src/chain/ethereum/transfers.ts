import type { Asset } from '@causeway/contracts'
import { withChecksum } from '../formats/ethereum-address.ts'
import { ASSET_DECIMALS } from '../networks.ts'
import type { Transfer } from '../block-source.ts'
import { fromUnits } from '../units.ts'
import type { LogAnswer } from './answers.ts'
import type { VerifiedTransaction } from './verified-block.ts'

/** Keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** An unsigned integer of 32 bytes: `0x` and 64 digits. */
const WORD_LENGTH = 66

/** Asset of each watched token by its contract's address in lower case. */
export type Tokens = ReadonlyMap<string, Asset>

/** @param contracts ETH_TOKENS */
export const toTokens = (contracts: Readonly<Partial<Record<Asset, string>>>): Tokens =>
  new Map(
    Object.entries(contracts).map(([asset, address]) => [address.toLowerCase(), asset as Asset] as const),
  )

/** Who receives how much by this log; null for any other log, and for nothing. */
const readTransfer = ({ topics, data }: LogAnswer): { to: string; units: bigint } | null => {
  const [event, , to] = topics
  if (event?.toLowerCase() !== TRANSFER || topics.length !== 3 || to === undefined) return null
  if (data.length !== WORD_LENGTH || BigInt(data) === 0n) return null
  return { to: to.slice(-40), units: BigInt(data) }
}

const tokenTransfers = ({ id, logs }: VerifiedTransaction, tokens: Tokens): Transfer[] =>
  logs.flatMap((log, index) => {
    const asset = tokens.get(log.address.toLowerCase())
    const transfer = asset && readTransfer(log)
    if (!transfer) return []
    const amount = fromUnits(transfer.units, ASSET_DECIMALS[asset])
    return { asset, address: withChecksum(transfer.to), txId: id, outputIndex: index + 1, amount }
  })

/**
 * Returns the transfers of a block's transactions: ETH of successful transactions, and transfers of the watched tokens.
 * Gas that the signer sends to orders' addresses is no payment and is left out. ETH sent by contracts is missing: only
 * balances show it.
 */
export const transfersOf = (
  transactions: readonly VerifiedTransaction[],
  tokens: Tokens,
): readonly Transfer[] =>
  transactions.flatMap((transaction) => {
    const { id, to, wei, isGas, hasSucceeded } = transaction
    if (!hasSucceeded) return []
    const sent = tokenTransfers(transaction, tokens)
    if (to === null || wei === 0n || isGas) return sent
    const amount = fromUnits(wei, ASSET_DECIMALS.ETH)
    return [{ asset: 'ETH', address: withChecksum(to.slice(2)), txId: id, outputIndex: 0, amount }, ...sent]
  })
