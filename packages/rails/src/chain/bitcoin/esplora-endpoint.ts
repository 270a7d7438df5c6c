import { z } from 'zod'
import type { BitcoinEndpoint, BitcoinEndpointOptions } from './endpoint.ts'
import { CONNECTIONS, createEsploraHttp } from './esplora-http.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Block = z.object({ height: z.int().nonnegative() })
const TransactionStatus = z.object({ block_height: z.int().nonnegative().nullish() })
const HeaderHex = z.string().regex(/^[0-9a-f]{160}$/)

/** A request each: public servers allow a few a second. */
const MEMPOOL_READS = 300

/**
 * A server with Esplora's HTTP API (Blockstream/esplora, API.md), for those without a node.
 * @param address up to and without `/blocks/tip/hash`
 * @throws Error, which does not repeat the address, when it is invalid
 */
export const createEsploraEndpoint = (address: string, options: BitcoinEndpointOptions): BitcoinEndpoint => {
  const http = createEsploraHttp(address, options)
  const text = async <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal): Promise<T> =>
    http.required(path, await http.findText(shape, path, signal))
  const json = async <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal): Promise<T> =>
    http.required(path, await http.findJson(shape, path, signal))

  return {
    name: http.name,
    setting: options.setting,
    mempoolReads: MEMPOOL_READS,
    isDownloading: async () => false,
    tip: async (signal) => {
      const hash = await text(Hash, '/blocks/tip/hash', signal)
      const { height } = await json(Block, `/block/${hash}`, signal)
      return { number: height, hash }
    },
    hashAt: (number, signal) => http.findText(Hash, `/block-height/${number}`, signal),
    header: async (hash, signal) =>
      Buffer.from(await text(HeaderHex, `/block/${hash}/header`, signal), 'hex'),
    block: async (hash, signal) => {
      const path = `/block/${hash}/raw`
      return http.required(path, await http.findBytes(path, signal))
    },
    blockOf: async (txId, signal) =>
      (await http.findJson(TransactionStatus, `/tx/${txId}/status`, signal))?.block_height ?? null,
    mempool: (signal) => json(z.array(Hash), '/mempool/txids', signal),
    transactions: async (txIds, signal) => {
      const found: (Buffer | null)[] = []
      // As many as there are connections: a call that waits for one would wait within its time.
      for (let from = 0; from < txIds.length; from += CONNECTIONS) {
        const some = txIds.slice(from, from + CONNECTIONS)
        found.push(...(await Promise.all(some.map((txId) => http.findBytes(`/tx/${txId}/raw`, signal)))))
      }
      return found
    },
    close: () => http.close(),
  }
}
