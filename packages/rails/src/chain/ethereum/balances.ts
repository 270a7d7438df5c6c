import type { BlockHeader } from '../block-source.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { Quantity } from './answers.ts'

/** Balances in wei at the end of the block, in the order of the addresses (EIP-1898: by hash). */
export const readBalances = async (
  endpoint: JsonRpcEndpoint,
  addresses: readonly string[],
  block: BlockHeader,
  signal?: AbortSignal,
): Promise<readonly bigint[]> => {
  const calls = addresses.map((address) => ({
    method: 'eth_getBalance',
    params: [address, { blockHash: block.hash }],
    shape: Quantity,
  }))
  const balances = await endpoint.batch<string[]>(calls, signal)
  return balances.map(BigInt)
}
