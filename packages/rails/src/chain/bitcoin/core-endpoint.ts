import { z } from 'zod'
import { RailError } from '../../rail-error.ts'
import { type JsonRpcCall, JsonRpcError } from '../json-rpc/answers.ts'
import { createJsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { type BitcoinEndpoint, type BitcoinEndpointOptions, MAX_ANSWER_BYTES } from './endpoint.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Hex = z
  .string()
  .regex(/^([0-9a-f]{2})+$/)
  .transform((hex) => Buffer.from(hex, 'hex'))
const ChainInfo = z.object({
  blocks: z.int().nonnegative(),
  bestblockhash: Hash,
  initialblockdownload: z.boolean(),
})

/** RPC_INVALID_PARAMETER: a height above the tip. RPC_INVALID_ADDRESS_OR_KEY: a block or transaction it does not have. */
const OUT_OF_RANGE = -8
const NOT_FOUND = -5

/** A node of one's own takes as many. */
const MEMPOOL_READS = 20_000
const TRANSACTIONS_PER_CALL = 100

const MinedTransaction = z.object({ blockhash: Hash.optional() })
const Height = z.object({ height: z.int().nonnegative() })
const Output = z.object({ bestblock: Hash, confirmations: z.int().nonnegative() }).nullable()
type Output = z.infer<typeof Output>

/** Outputs of a transaction that are looked up: a payment by hand has a few. */
const OUTPUTS = 20
const outputCalls = (txId: string): readonly JsonRpcCall<Output>[] =>
  Array.from({ length: OUTPUTS }, (_, index) => ({
    method: 'gettxout',
    params: [txId, index, false],
    shape: Output,
  }))

const chainInfo = { method: 'getblockchaininfo', params: [], shape: ChainInfo } as const
const rawTransaction = (txId: string): JsonRpcCall<Buffer> => ({
  method: 'getrawtransaction',
  params: [txId],
  shape: Hex,
})

/** @throws the error, or the fallback in its place when the endpoint answered with this code */
const unless = async <T, F>(code: number, asked: Promise<T>, fallback: () => F): Promise<T | F> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof JsonRpcError && error.code === code) return fallback()
    throw error
  }
}

/**
 * A node of Bitcoin Core or Litecoin Core 0.21 and newer, over its JSON-RPC. It needs no index and no wallet, and may
 * prune blocks that are older than the longest outage that is to be caught up.
 * @throws Error, which does not repeat the address, when it is invalid
 */
export const createCoreEndpoint = (url: string, options: BitcoinEndpointOptions): BitcoinEndpoint => {
  const rpc = createJsonRpcEndpoint(url, {
    timeoutMs: options.timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    maxBatch: TRANSACTIONS_PER_CALL,
    nowMs: options.nowMs,
  })
  const missing = (what: string) => (): never => {
    throw new RailError('unavailable', `${rpc.name} does not have ${what}`)
  }
  const raw = (method: string, hash: string, form: boolean | number, signal?: AbortSignal) =>
    unless(
      NOT_FOUND,
      rpc.call({ method, params: [hash, form], shape: Hex }, signal),
      missing(`the block ${hash}`),
    )
  /** One by one, because one that was mined or replaced meanwhile fails its whole batch. */
  const oneByOne = async (txIds: readonly string[], signal?: AbortSignal): Promise<(Buffer | null)[]> => {
    const found: (Buffer | null)[] = []
    for (const txId of txIds)
      found.push(await unless(NOT_FOUND, rpc.call(rawTransaction(txId), signal), () => null))
    return found
  }

  return {
    name: rpc.name,
    setting: options.setting,
    mempoolReads: MEMPOOL_READS,
    isDownloading: async (signal) => (await rpc.call(chainInfo, signal)).initialblockdownload,
    tip: async (signal) => {
      const { blocks, bestblockhash } = await rpc.call(chainInfo, signal)
      return { number: blocks, hash: bestblockhash }
    },
    hashAt: (number, signal) =>
      unless(
        OUT_OF_RANGE,
        rpc.call({ method: 'getblockhash', params: [number], shape: Hash }, signal),
        () => null,
      ),
    header: (hash, signal) => raw('getblockheader', hash, false, signal),
    block: (hash, signal) => raw('getblock', hash, 0, signal),
    blockOf: async (txId, signal) => {
      const indexed = { method: 'getrawtransaction', params: [txId, true], shape: MinedTransaction }
      const found = await unless(NOT_FOUND, rpc.call(indexed, signal), () => null)
      const heightOf = async (hash: string) =>
        (await rpc.call({ method: 'getblockheader', params: [hash], shape: Height }, signal)).height
      if (found !== null) return found.blockhash === undefined ? null : heightOf(found.blockhash)
      // A node without the index of transactions (txindex) knows those that have an unspent output.
      const outputs = await rpc.batch(outputCalls(txId), signal)
      const unspent = outputs.find((output) => output !== null && output.confirmations > 0)
      return unspent == null ? null : (await heightOf(unspent.bestblock)) - unspent.confirmations + 1
    },
    mempool: (signal) => rpc.call({ method: 'getrawmempool', params: [], shape: z.array(Hash) }, signal),
    transactions: async (txIds, signal) => {
      const found: (Buffer | null)[] = []
      for (let from = 0; from < txIds.length; from += TRANSACTIONS_PER_CALL) {
        const some = txIds.slice(from, from + TRANSACTIONS_PER_CALL)
        const answers = await unless(NOT_FOUND, rpc.batch(some.map(rawTransaction), signal), () =>
          oneByOne(some, signal),
        )
        found.push(...answers)
      }
      return found
    },
    close: () => rpc.close(),
  }
}
