import { z } from 'zod'
import { createCoreEndpoint } from '../../bitcoin/core-endpoint.ts'
import { type BitcoinEndpointOptions, MAX_ANSWER_BYTES } from '../../bitcoin/endpoint.ts'
import type { ChainParameters } from '../../bitcoin/parameters.ts'
import { addressOf } from '../../bitcoin/script-address.ts'
import { JsonRpcError } from '../../json-rpc/answers.ts'
import { createJsonRpcEndpoint } from '../../json-rpc/endpoint.ts'
import { toUnits } from '../../units.ts'
import { createCoreSightings } from './core-sightings.ts'
import { sendFailureOf } from './send-failure.ts'
import { type SpendingEndpoint, TARGET_BLOCKS, type UnspentCoin } from './spending-endpoint.ts'

/** Core writes amounts as numbers of coins. Their nearest double has the right eight decimals. */
const Amount = z.number().transform((coins) => toUnits(coins.toFixed(8), 8))
const Script = z.string().regex(/^([0-9a-f]{2})+$/)
const FeeEstimate = z.object({ feerate: Amount.optional() })
const MempoolInfo = z.object({ mempoolminfee: Amount })
const TxOut = z.object({
  confirmations: z.int(),
  value: Amount,
  scriptPubKey: z.object({ hex: Script }),
})
const Scan = z.object({
  unspents: z.array(
    z.object({ txid: z.string(), vout: z.int().nonnegative(), scriptPubKey: Script, amount: Amount }),
  ),
})

/** A search reads the whole set of unspent outputs: about a minute on Bitcoin's main chain. */
const SEARCH_TIMEOUT_MS = 600_000

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** A node of Bitcoin Core or Litecoin Core. Neither a wallet nor an index is needed. */
export const createCoreSpending = (
  url: string,
  options: BitcoinEndpointOptions & Readonly<{ parameters: ChainParameters }>,
): SpendingEndpoint => {
  const reader = createCoreEndpoint(url, options)
  const open = (timeoutMs: number) =>
    createJsonRpcEndpoint(url, { timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES, nowMs: options.nowMs })
  const [rpc, searching] = [open(options.timeoutMs), open(SEARCH_TIMEOUT_MS)]
  const coinOf = (txId: string, outputIndex: number, value: bigint, script: string): UnspentCoin[] => {
    const address = addressOf(Buffer.from(script, 'hex'), options.parameters)
    return address === null ? [] : [{ txId, outputIndex, value, address }]
  }

  return {
    ...reader,
    feeRate: async (signal) => {
      const [{ feerate }, { mempoolminfee }] = await rpc.batch<
        [z.output<typeof FeeEstimate>, z.output<typeof MempoolInfo>]
      >(
        [
          { method: 'estimatesmartfee', params: [TARGET_BLOCKS], shape: FeeEstimate },
          { method: 'getmempoolinfo', params: [], shape: MempoolInfo },
        ],
        signal,
      )
      return feerate === undefined ? null : greater(feerate, mempoolminfee)
    },
    lookUp: async (coins, signal) => {
      const found = await rpc.batch<(z.output<typeof TxOut> | null)[]>(
        coins.map(({ txId, outputIndex }) => ({
          method: 'gettxout',
          params: [txId, outputIndex, false],
          shape: TxOut.nullable(),
        })),
        signal,
      )
      return coins.flatMap(({ txId, outputIndex }, at) => {
        const output = found[at]
        return output ? coinOf(txId, outputIndex, output.value, output.scriptPubKey.hex) : []
      })
    },
    search: async (addresses, signal) => {
      const descriptors = addresses.map((address) => `addr(${address})`)
      const { unspents } = await searching.call(
        { method: 'scantxoutset', params: ['start', descriptors], shape: Scan },
        signal,
      )
      return unspents.flatMap(({ txid, vout, amount, scriptPubKey }) =>
        coinOf(txid, vout, amount, scriptPubKey),
      )
    },
    send: async (rawTransaction, signal) => {
      try {
        await rpc.call({ method: 'sendrawtransaction', params: [rawTransaction], shape: z.string() }, signal)
      } catch (error) {
        if (!(error instanceof JsonRpcError)) throw error
        const failure = sendFailureOf(rpc.name, error.code, error.message)
        if (failure) throw failure
      }
    },
    sightingOf: createCoreSightings(rpc, reader),
    close: async () => {
      await Promise.all([reader.close(), rpc.close(), searching.close()])
    },
  }
}
