import { z } from 'zod'
import { RailError } from '../../../rail-error.ts'
import type { BitcoinEndpoint } from '../../bitcoin/endpoint.ts'
import { type JsonRpcCall, JsonRpcError } from '../../json-rpc/answers.ts'
import type { JsonRpcEndpoint } from '../../json-rpc/endpoint.ts'
import type { SignedTransfer } from '../transfers.ts'
import { outpointOf, parseOutpoint, type Sighting } from './spending-endpoint.ts'

/** RPC_INVALID_ADDRESS_OR_KEY: not in the mempool, and not in the index of all transactions if there is one. */
const NOT_FOUND = -5
/** Only a node with `-txindex` finds older transactions. */
const BLOCKS_SEARCHED = 2_016

const Known = z.object({ confirmations: z.int().optional() })
const Unspent = z.object({ confirmations: z.int() }).nullable()
const Ids = z.object({ tx: z.array(z.string()) })
const Inputs = z.object({
  tx: z.array(
    z.object({
      txid: z.string(),
      vin: z.array(z.object({ txid: z.string().optional(), vout: z.int().optional() })),
    }),
  ),
})

/** The first two outputs are all that a transfer has: what arrives, and what goes back. */
const OUTPUTS = [0, 1]

/**
 * Follows a transfer on a node without an index: in the mempool, by an output of it that is unspent, and, once its
 * recipient has spent that, in the blocks since it was signed.
 */
export const createCoreSightings = (
  rpc: JsonRpcEndpoint,
  reader: Pick<BitcoinEndpoint, 'tip' | 'hashAt'>,
) => {
  const known = async (txId: string, signal?: AbortSignal) => {
    try {
      return await rpc.call({ method: 'getrawtransaction', params: [txId, true], shape: Known }, signal)
    } catch (error) {
      if (error instanceof JsonRpcError && error.code === NOT_FOUND) return null
      throw error
    }
  }
  const unspent = (txId: string, outputIndex: number): JsonRpcCall<z.output<typeof Unspent>> => ({
    method: 'gettxout',
    params: [txId, outputIndex, false],
    shape: Unspent,
  })
  /** Confirmations of the newest block above `signedAt` that passes the test; null if no block does. */
  const newestBlock = async <T>(
    signedAt: number,
    verbosity: 1 | 2,
    shape: z.ZodType<T>,
    test: (block: T) => boolean,
    signal?: AbortSignal,
  ): Promise<number | null> => {
    const { number: tip } = await reader.tip(signal)
    if (tip - signedAt > BLOCKS_SEARCHED)
      throw new RailError(
        'unavailable',
        `${rpc.name} cannot search for a transaction older than ${BLOCKS_SEARCHED} blocks without -txindex`,
      )
    for (let number = tip; number > signedAt; number--) {
      const hash = await reader.hashAt(number, signal)
      if (hash === null) throw new RailError('unavailable', `${rpc.name} no longer has block ${number}`)
      const block = await rpc.call({ method: 'getblock', params: [hash, verbosity], shape }, signal)
      if (test(block)) return tip - number + 1
    }
    return null
  }

  return async ({ txId, spends, signedAt }: SignedTransfer, signal?: AbortSignal): Promise<Sighting> => {
    const found = await known(txId, signal)
    if (found)
      return found.confirmations
        ? { state: 'mined', confirmations: found.confirmations }
        : { state: 'waiting' }
    const inputs = spends.map(parseOutpoint)
    const answers = await rpc.batch<z.output<typeof Unspent>[]>(
      [
        ...OUTPUTS.map((output) => unspent(txId, output)),
        ...inputs.map((input) => unspent(input.txId, input.outputIndex)),
      ],
      signal,
    )
    const output = answers.slice(0, OUTPUTS.length).find((answer) => answer !== null)
    if (output) return { state: 'mined', confirmations: output.confirmations }
    // What it spends is all there: nothing has been mined that does.
    if (answers.slice(OUTPUTS.length).every((answer) => answer !== null)) return { state: 'unknown' }
    const own = await newestBlock(signedAt, 1, Ids, ({ tx }) => tx.includes(txId), signal)
    if (own !== null) return { state: 'mined', confirmations: own }
    const spent = new Set(spends)
    const isOther = ({ tx }: z.output<typeof Inputs>) =>
      tx.some(({ vin }) =>
        vin.some(({ txid, vout }) => spent.has(outpointOf({ txId: txid ?? '', outputIndex: vout ?? -1 }))),
      )
    const confirmations = await newestBlock(signedAt, 2, Inputs, isOther, signal)
    return confirmations === null
      ? { state: 'unknown' }
      : { state: 'failed', reason: 'replaced', confirmations }
  }
}
