import { type Hex, keccak256 } from 'viem'
import { z } from 'zod'
import { RailError } from '../../../rail-error.ts'
import { JsonRpcError } from '../../json-rpc/answers.ts'
import type { JsonRpcEndpoint } from '../../json-rpc/endpoint.ts'
import { TransferError } from '../transfers.ts'

/* Texts of geth, Erigon, Nethermind, Besu, Reth and anvil: the codes say nothing. */
const HAS_IT = /already (known|imported|in mempool)|known transaction/i
const NONCE_USED = /nonce (is )?too low|old ?nonce|nonce below/i
const NEVER =
  /intrinsic gas|invalid (sender|signature|chain)|exceeds (the )?(block|transaction) gas|oversized|not supported/i

const Found = z.object({ hash: z.string() }).nullable()

/**
 * Sends one transaction to one endpoint.
 * @throws TransferError `rejected` for what can never be mined; RailError
 */
export const sendTransaction = async (
  endpoint: JsonRpcEndpoint,
  raw: Hex,
  signal?: AbortSignal,
): Promise<void> => {
  try {
    await endpoint.call({ method: 'eth_sendRawTransaction', params: [raw], shape: z.string() }, signal)
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error
    if (HAS_IT.test(error.message)) return
    if (NONCE_USED.test(error.message)) {
      const asked = { method: 'eth_getTransactionByHash', params: [keccak256(raw)], shape: Found }
      if ((await endpoint.call(asked, signal)) !== null) return
      // Which one, and whether it stays, the chain tells as it grows deeper: `progressOf`.
      throw new RailError('unavailable', `Another transaction has used the nonce: ${error.message}`)
    }
    if (NEVER.test(error.message)) throw new TransferError('rejected', error.message, { cause: error })
    throw new RailError('unavailable', error.message, { cause: error })
  }
}

/** Sends a transfer's transactions in their order, each when the one before it is mined. */
export const sendInOrder = async (
  endpoint: JsonRpcEndpoint,
  raws: readonly Hex[],
  signal?: AbortSignal,
): Promise<void> => {
  for (const [at, raw] of raws.entries()) {
    const before = raws[at - 1]
    if (before !== undefined) {
      const asked = { method: 'eth_getTransactionReceipt', params: [keccak256(before)], shape: z.unknown() }
      if ((await endpoint.call(asked, signal)) === null) return
    }
    await sendTransaction(endpoint, raw, signal)
  }
}
