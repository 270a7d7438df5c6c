import { quorumOf } from '../agreement.ts'
import { type CheckedEndpoints, checkEndpoints, SettingError } from '../checked-endpoints.ts'
import { JsonRpcError } from '../json-rpc/answers.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import type { JsonRpcEndpoints } from '../json-rpc/endpoints.ts'
import { ASSET_DECIMALS } from '../networks.ts'
import { Data, Quantity } from './answers.ts'
import type { Tokens } from './transfers.ts'

/** Selector of `decimals()`. */
const DECIMALS_CALL = '0x313ce567'

/** @throws SettingError when the endpoint serves another chain; RailError without an answer */
const checkChainId = async (endpoint: JsonRpcEndpoint, chainId: number): Promise<void> => {
  const answered = await endpoint.call({ method: 'eth_chainId', params: [], shape: Quantity })
  if (Number(answered) !== chainId)
    throw new SettingError(
      `ETH_CHAIN_ID is ${chainId}, but ${endpoint.name} of ETH_RPC_URLS serves the chain ${Number(answered)}`,
    )
}

/** Calls `decimals()` of the contract; null if no contract is deployed or the call reverts. */
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
const checkTokens = async (
  endpoint: JsonRpcEndpoint,
  tokens: Tokens,
  signal?: AbortSignal,
): Promise<void> => {
  for (const [address, asset] of tokens) {
    const decimals = await readDecimals(endpoint, address, signal)
    const expected = ASSET_DECIMALS[asset]
    if (decimals === expected) continue
    const found = decimals === null ? 'is not a token' : `has ${decimals} decimals`
    throw new SettingError(
      `ETH_TOKENS: ${asset} at ${address} ${found} at ${endpoint.name}; ${asset} has ${expected} decimals`,
    )
  }
}

/** Endpoints that are believed once they serve this chain. */
export const checkEthereumEndpoints = (
  endpoints: JsonRpcEndpoints,
  chainId: number,
): CheckedEndpoints<JsonRpcEndpoint> =>
  checkEndpoints(endpoints, (endpoint) => checkChainId(endpoint, chainId))

/**
 * Checks that enough endpoints respond, and that all of them serve the chain with these tokens.
 * @throws Error that names the setting; RailError when too few respond
 */
export const verifyEthereum = async (
  endpoints: CheckedEndpoints<JsonRpcEndpoint>,
  tokens: Tokens,
  signal?: AbortSignal,
): Promise<void> => {
  const witnesses = await endpoints.verify((endpoint) => checkTokens(endpoint, tokens, signal))
  quorumOf(witnesses)
}
