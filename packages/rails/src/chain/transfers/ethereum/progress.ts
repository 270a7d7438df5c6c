import { type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { keccak256, type TransactionSerialized } from 'viem'
import { ASSET_DECIMALS } from '../../networks.ts'
import { fromUnits } from '../../units.ts'
import type { SignedTransfer, TransferProgress } from '../transfers.ts'
import type { EthereumNode } from './node.ts'

/** Depths at which it is looked when a nonce was used; nodes keep the states of the last 128 blocks. */
const DEPTHS = [1, 2, 4, 8, 16, 32, 64]

/** How deep the transaction is at least that has used this nonce; null when none has. */
const depthOfUse = async (
  node: EthereumNode,
  raw: Hex,
  head: bigint,
  signal?: AbortSignal,
): Promise<number | null> => {
  const { nonce = 0 } = parseTransaction(raw)
  const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  let deepest: number | null = null
  for (const depth of DEPTHS) {
    const block = head - BigInt(depth - 1)
    if (block < 0n || (await node.nonceOf(from, block, signal)) <= nonce) break
    deepest = depth
  }
  return deepest
}

/** Follows the transactions of a transfer by their receipts or, without a receipt, by their nonces. */
export const readProgress = async (
  node: EthereumNode,
  { rawTransactions, txId }: SignedTransfer,
  signal?: AbortSignal,
): Promise<TransferProgress> => {
  const { number: head } = await node.head(signal)
  const raws = rawTransactions as readonly Hex[]
  const receipts = await Promise.all(raws.map((raw) => node.receiptOf(keccak256(raw), signal)))
  const wei = receipts.reduce(
    (sum, receipt) => sum + (receipt ? receipt.gasUsed * receipt.effectiveGasPrice : 0n),
    0n,
  )
  const networkFee = fromUnits(wei, ASSET_DECIMALS.ETH)
  const last = receipts.at(-1)
  if (last) {
    const confirmations = Math.max(Number(head - last.blockNumber) + 1, 1)
    if (last.status === 0n) return { state: 'failed', reason: 'reverted', confirmations, networkFee }
    return { state: 'mined', confirmations, networkFee }
  }
  for (const [at, raw] of raws.entries()) {
    if (receipts[at]) continue
    const confirmations = await depthOfUse(node, raw, head, signal)
    if (confirmations === null) continue
    // It may have been mined since it was asked for.
    if (await node.receiptOf(keccak256(raw), signal)) return { state: 'waiting' }
    return { state: 'failed', reason: 'replaced', confirmations, networkFee }
  }
  if (receipts.some((receipt) => receipt !== null) || (await node.isKnown(txId, signal)))
    return { state: 'waiting' }
  const [first] = raws
  return { state: first && (await node.isKnown(keccak256(first), signal)) ? 'waiting' : 'unknown' }
}
