import type { BlockHeader } from '../block-source.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { Data, Quantity } from './answers.ts'

/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231'

/** The call for an address's balance (EIP-1898: by the block's hash), of the coin or of a token's contract. */
const balanceCall = (address: string, { hash: blockHash }: BlockHeader, token: string | null) => {
  if (token === null) return { method: 'eth_getBalance', params: [address, { blockHash }], shape: Quantity }
  const data = `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`
  return { method: 'eth_call', params: [{ to: token, data }, { blockHash }], shape: Data }
}

/**
 * Balances at the end of the block in the smallest unit, in the order of the addresses.
 * @param token contract of a token; null for the coin
 */
export const readBalances = async (
  endpoint: JsonRpcEndpoint,
  addresses: readonly string[],
  block: BlockHeader,
  token: string | null,
  signal?: AbortSignal,
): Promise<readonly bigint[]> => {
  const calls = addresses.map((address) => balanceCall(address, block, token))
  const balances = await endpoint.batch<string[]>(calls, signal)
  return balances.map(BigInt)
}
