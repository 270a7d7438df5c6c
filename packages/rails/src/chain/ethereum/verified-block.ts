import { z } from 'zod'
import { RailError } from '../../rail-error.ts'
import type { BlockHeader } from '../block-source.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { BlockAnswer, HeaderAnswer, ReceiptAnswer } from './answers.ts'
import { blockHashOf, encodeReceipt, encodeTransaction, hashOf } from './encoding.ts'
import { isSignedBy } from './gas-account.ts'
import { listRoot } from './list-root.ts'

/** A transaction as its block and its receipt have it; all of it is covered by the block's hash. */
export type VerifiedTransaction = Readonly<{
  id: string
  /** Null for a contract's creation. */
  to: string | null
  wei: bigint
  /** True if the signer's gas account sends it. */
  isGas: boolean
  hasSucceeded: boolean
  logs: ReceiptAnswer['logs']
}>

/** An answer that contradicts itself or what was asked: another endpoint, or the same one later, may do better. */
const contradiction = (endpoint: JsonRpcEndpoint, text: string): RailError =>
  new RailError('unavailable', `${endpoint.name} ${text}`)

const toHeader = (answer: HeaderAnswer): BlockHeader => ({
  number: Number(answer.number),
  // Never the hash that was answered: an endpoint cannot invent one for other contents.
  hash: blockHashOf(answer),
  parentHash: answer.parentHash.toLowerCase(),
  minedAt: new Date(Number(answer.timestamp) * 1_000),
})

/** The header at this number, or the newest; null when the endpoint has none there. */
export const readHeader = async (
  endpoint: JsonRpcEndpoint,
  number: number | 'latest',
  signal?: AbortSignal,
): Promise<BlockHeader | null> => {
  const tag = number === 'latest' ? number : `0x${number.toString(16)}`
  const shape = z.object({ hash: z.string() }).and(HeaderAnswer).nullable()
  const answer = await endpoint.call({ method: 'eth_getBlockByNumber', params: [tag, false], shape }, signal)
  if (answer === null) return null
  const header = toHeader(answer)
  if (header.hash !== answer.hash.toLowerCase())
    throw contradiction(
      endpoint,
      `returned block ${header.number} with a hash that does not match its contents`,
    )
  if (number !== 'latest' && header.number !== number)
    throw contradiction(endpoint, `returned block ${header.number} instead of ${number}`)
  return header
}

/**
 * The transactions of a block with their receipts, each proven by the block's hash: the header's fields have that
 * hash, and the header has the roots of these transactions and receipts.
 * @throws RailError, retryable where the endpoint's answers contradict the hash or it does not know the block
 */
export const readTransactions = async (
  endpoint: JsonRpcEndpoint,
  block: BlockHeader,
  gasAccount: string | null,
  signal?: AbortSignal,
): Promise<readonly VerifiedTransaction[]> => {
  const [answer, receipts] = await endpoint.batch<[BlockAnswer | null, ReceiptAnswer[] | null]>(
    [
      { method: 'eth_getBlockByHash', params: [block.hash, true], shape: BlockAnswer.nullable() },
      { method: 'eth_getBlockReceipts', params: [block.hash], shape: z.array(ReceiptAnswer).nullable() },
    ],
    signal,
  )
  if (answer === null || receipts === null)
    throw contradiction(endpoint, `does not know block ${block.number} ${block.hash}`)
  if (blockHashOf(answer) !== block.hash)
    throw contradiction(endpoint, `returned another block than ${block.number} ${block.hash}`)
  const encoded = answer.transactions.map(encodeTransaction)
  if (listRoot(encoded) !== answer.transactionsRoot.toLowerCase())
    throw contradiction(endpoint, `returned other transactions than those of block ${block.number}`)
  if (listRoot(receipts.map(encodeReceipt)) !== answer.receiptsRoot.toLowerCase())
    throw contradiction(endpoint, `returned other receipts than those of block ${block.number}`)
  return answer.transactions.flatMap((transaction, index) => {
    const receipt = receipts[index]
    const bytes = encoded[index]
    if (!receipt || !bytes)
      throw contradiction(endpoint, `returned too few receipts for block ${block.number}`)
    return {
      id: hashOf(bytes),
      to: transaction.to ?? null,
      wei: BigInt(transaction.value),
      isGas: gasAccount !== null && isSignedBy(gasAccount, transaction),
      hasSucceeded: BigInt(receipt.status) === 1n,
      logs: receipt.logs,
    }
  })
}
