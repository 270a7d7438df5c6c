import { z } from 'zod'
import { createEsploraEndpoint } from '../../bitcoin/esplora-endpoint.ts'
import { createEsploraHttp } from '../../bitcoin/esplora-http.ts'
import type { BitcoinEndpointOptions } from '../../bitcoin/endpoint.ts'
import type { ChainParameters } from '../../bitcoin/parameters.ts'
import { addressOf } from '../../bitcoin/script-address.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { sendFailureOf } from './send-failure.ts'
import {
  outpointOf,
  parseOutpoint,
  type SpendingEndpoint,
  TARGET_BLOCKS,
  type UnspentCoin,
} from './spending-endpoint.ts'

const Satoshi = z.int().nonnegative().transform(BigInt)
const Status = z.object({ confirmed: z.boolean(), block_height: z.int().nonnegative().optional() })
const Utxos = z.array(
  z.object({ txid: z.string(), vout: z.int().nonnegative(), value: Satoshi, status: Status }),
)
const Outspend = z.object({ spent: z.boolean(), txid: z.string().optional(), status: Status.optional() })
/** Satoshi per virtual byte by the number of blocks. */
const FeeEstimates = z.record(z.string(), z.number())

/** Esplora passes on what its node answered. */
const nodeErrorOf = (text: string): { code: number; message: string } => {
  const [, code = '0', message = text] = /"code":\s*(-?\d+),\s*"message":\s*"([^"]*)"/.exec(text) ?? []
  return { code: Number(code), message }
}

/** Esplora's HTTP API (Blockstream/esplora, API.md), for those without a node. */
export const createEsploraSpending = (
  address: string,
  options: BitcoinEndpointOptions & Readonly<{ parameters: ChainParameters }>,
): SpendingEndpoint => {
  const reader = createEsploraEndpoint(address, options)
  const http = createEsploraHttp(address, options)
  const required = async <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal): Promise<T> =>
    http.required(path, await http.findJson(shape, path, signal))
  const outspend = (outpoint: string, signal?: AbortSignal) => {
    const { txId, outputIndex } = parseOutpoint(outpoint)
    return required(Outspend, `/tx/${txId}/outspend/${outputIndex}`, signal)
  }
  const depthOf = async (height: number, signal?: AbortSignal) =>
    (await reader.tip(signal)).number - height + 1

  return {
    ...reader,
    feeRate: async (signal) => {
      const estimates = await required(FeeEstimates, '/fee-estimates', signal)
      const rate = estimates[String(TARGET_BLOCKS)]
      return rate === undefined ? null : BigInt(Math.ceil(rate * 1_000))
    },
    lookUp: async (coins, signal) => {
      const found: UnspentCoin[] = []
      for (const coin of coins) {
        const status = await http.findJson(Status, `/tx/${coin.txId}/status`, signal)
        if (status?.confirmed !== true) continue
        const { spent, status: spending } = await outspend(outpointOf(coin), signal)
        if (spent && spending?.confirmed === true) continue
        const bytes = await http.findBytes(`/tx/${coin.txId}/raw`, signal)
        const output = bytes === null ? undefined : parseTransaction(bytes).outputs[coin.outputIndex]
        const paid = output ? addressOf(output.script, options.parameters) : null
        if (output && paid !== null) found.push({ ...coin, value: output.value, address: paid })
      }
      return found
    },
    search: async (addresses, signal) => {
      const found: UnspentCoin[] = []
      for (const paid of addresses)
        for (const { txid, vout, value, status } of await required(Utxos, `/address/${paid}/utxo`, signal))
          if (status.confirmed) found.push({ txId: txid, outputIndex: vout, value, address: paid })
      return found
    },
    send: async (rawTransaction, signal) => {
      const refusal = await http.post('/tx', rawTransaction, signal)
      if (refusal === null) return
      const { code, message } = nodeErrorOf(refusal)
      const failure = sendFailureOf(http.name, code, message)
      if (failure) throw failure
    },
    sightingOf: async ({ txId, spends }, signal) => {
      const status = await http.findJson(Status, `/tx/${txId}/status`, signal)
      if (status?.confirmed === true && status.block_height !== undefined)
        return { state: 'mined', confirmations: await depthOf(status.block_height, signal) }
      for (const spent of spends) {
        const { txid, status: spending } = await outspend(spent, signal)
        if (txid !== txId && spending?.confirmed === true && spending.block_height !== undefined) {
          const confirmations = await depthOf(spending.block_height, signal)
          return { state: 'failed', reason: 'replaced', confirmations }
        }
      }
      return { state: status === null ? 'unknown' : 'waiting' }
    },
    close: async () => {
      await Promise.all([reader.close(), http.close()])
    },
  }
}
