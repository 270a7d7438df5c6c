import { RailError } from '../../rail-error.ts'
import { JsonRpcError } from '../json-rpc/answers.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { ASSET_DECIMALS } from '../networks.ts'
import { Data, Quantity } from './answers.ts'
import type { Tokens } from './transfers.ts'

/** Selector of `decimals()`. */
const DECIMALS_CALL = '0x313ce567'

/** A setting that the chain contradicts. */
export class SettingError extends RailError {
  constructor(message: string) {
    super('refused', message)
  }
}

/** @throws SettingError when the endpoint serves another chain; RailError without an answer */
export const checkChainId = async (
  endpoint: JsonRpcEndpoint,
  chainId: number,
  signal?: AbortSignal,
): Promise<void> => {
  const answered = await endpoint.call({ method: 'eth_chainId', params: [], shape: Quantity }, signal)
  if (Number(answered) !== chainId)
    throw new SettingError(
      `ETH_CHAIN_ID is ${chainId}, but ${endpoint.name} of ETH_RPC_URLS serves the chain ${Number(answered)}`,
    )
}

/** What `decimals()` of the contract answers; null where nothing is deployed or it reverts. */
const readDecimals = async (
  endpoint: JsonRpcEndpoint,
  address: string,
  signal?: AbortSignal,
): Promise<number | null> => {
  const params = [{ to: address, data: DECIMALS_CALL }, 'latest']
  try {
    const answered = await endpoint.call({ method: 'eth_call', params, shape: Data }, signal)
    return answered === '0x' ? null : Number(answered)
  } catch (error) {
    if (error instanceof JsonRpcError && error.message.includes('revert')) return null
    throw error
  }
}

/** @throws SettingError for a token whose contract is missing or counts in other decimals; RailError without an answer */
export const checkTokens = async (
  endpoint: JsonRpcEndpoint,
  tokens: Tokens,
  signal?: AbortSignal,
): Promise<void> => {
  for (const [address, asset] of tokens) {
    const decimals = await readDecimals(endpoint, address, signal)
    const expected = ASSET_DECIMALS[asset]
    if (decimals === expected) continue
    const found = decimals === null ? 'is no token' : `has ${decimals} decimals`
    throw new SettingError(
      `ETH_TOKENS: ${asset} at ${address} ${found} at ${endpoint.name}; ${asset} has ${expected} decimals`,
    )
  }
}
