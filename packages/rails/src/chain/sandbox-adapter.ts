import { ASSETS, NETWORKS } from '@causeway/contracts'
import { z } from 'zod'
import { createJsonClient, readAnswer } from '../http/json-client.ts'
import { type ChainAdapter, MAX_WATCHES_PER_CALL } from './adapter.ts'

const DepositAnswer = z
  .object({
    seq: z.int().positive(),
    network: z.enum(NETWORKS),
    asset: z.enum(ASSETS),
    address: z.string().min(1),
    tx_id: z.string().min(1),
    output_index: z.int().nonnegative(),
    amount: z.string().regex(/^\d+(\.\d+)?$/),
    confirmations: z.int().nonnegative(),
    block_number: z.int().nonnegative().nullable(),
    block_hash: z.string().min(1).nullable(),
  })
  .transform(
    ({
      tx_id: txId,
      output_index: outputIndex,
      block_number: blockNumber,
      block_hash: blockHash,
      ...rest
    }) => ({
      ...rest,
      txId,
      outputIndex,
      blockNumber,
      blockHash,
    }),
  )
const DepositsAnswer = z.object({ deposits: z.array(DepositAnswer), next: z.int().nonnegative() })
const WatchAnswer = z.object({ watching: z.int().nonnegative() })

const Balance = z.object({ amount: z.string().regex(/^\d+(\.\d+)?$/) })

const MAX_ANSWER_BYTES = 1_048_576

/**
 * The chain of the sandbox, over HTTP.
 * @param baseUrl base address of the sandbox's chain, without `/chain`
 * @param timeoutMs bound of a call, in addition to the wait of a long poll
 */
export const createSandboxChainAdapter = (options: { baseUrl: string; timeoutMs: number }): ChainAdapter => {
  const client = createJsonClient({ ...options, maxBodyBytes: MAX_ANSWER_BYTES })
  return {
    watch: async (entries, signal) => {
      if (entries.length > MAX_WATCHES_PER_CALL)
        throw new RangeError(`more than ${MAX_WATCHES_PER_CALL} entries`)
      const watches = entries.map(({ orderId, ...entry }) => ({ order_id: orderId, ...entry }))
      const answer = await client.send({ method: 'POST', path: '/chain/watches', body: { watches }, signal })
      readAnswer(answer, WatchAnswer)
    },
    deposits: async ({ network, after, waitMs, signal }) => {
      const answer = await client.send({
        method: 'GET',
        path: '/chain/deposits',
        query: { after, wait_ms: waitMs, ...(network !== undefined && { network }) },
        timeoutMs: options.timeoutMs + waitMs,
        signal,
      })
      return readAnswer(answer, DepositsAnswer)
    },
    balanceOf: async (network, asset, address) => {
      const query = { network, asset, address }
      return readAnswer(await client.send({ method: 'GET', path: '/chain/balances', query }), Balance).amount
    },
    close: () => client.close(),
  }
}
