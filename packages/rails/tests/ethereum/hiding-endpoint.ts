import { startJsonRpcServer } from '../json-rpc-server.ts'
import type { Anvil } from './anvil.ts'

const hex = (number: number) => `0x${number.toString(16)}`
const nameOf = (method: string, params: readonly unknown[]) => JSON.stringify([method, ...params])

/** An endpoint before a node that does not tell of a reorganisation. */
export const startHidingEndpoint = async (anvil: Anvil) => {
  const kept = new Map<string, unknown>()
  let shownTo = Number.POSITIVE_INFINITY
  const rpc = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    if (method === 'eth_getBlockByNumber' && Number(params[0]) > shownTo) return null as T
    return (kept.get(nameOf(method, params)) as T | undefined) ?? anvil.ask<T>(method, ...params)
  }
  const keep = async (method: string, ...params: unknown[]): Promise<{ hash: string }> => {
    const answer = await anvil.ask<{ hash: string }>(method, ...params)
    kept.set(nameOf(method, params), answer)
    return answer
  }
  const server = await startJsonRpcServer({ rpc })
  return {
    url: server.url,
    /** Shows no block above the newest one that there is now. */
    stopAtHead: async () => {
      shownTo = Number(await anvil.ask<string>('eth_blockNumber'))
    },
    /** Shows, for good, the blocks that there are now above a number, whatever takes their place. */
    keepAbove: async (number: number) => {
      const head = Number(await anvil.ask<string>('eth_blockNumber'))
      for (let each = number + 1; each <= head; each += 1) {
        const { hash } = await keep('eth_getBlockByNumber', hex(each), false)
        await keep('eth_getBlockByHash', hash, true)
        await keep('eth_getBlockReceipts', hash)
      }
    },
    goOn: () => {
      shownTo = Number.POSITIVE_INFINITY
    },
    /** Shows the node's own blocks. */
    reveal: () => {
      kept.clear()
    },
    stop: server.stop,
  }
}
