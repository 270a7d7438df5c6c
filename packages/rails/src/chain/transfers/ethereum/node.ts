import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { Data, Quantity } from '../../ethereum/answers.ts'
import { JsonRpcError } from '../../json-rpc/answers.ts'
import type { JsonRpcEndpoints } from '../../json-rpc/endpoints.ts'
import { TransferError } from '../transfers.ts'

const Integer = Quantity.transform(BigInt)
const Head = z.object({ number: Integer, baseFeePerGas: Integer })
const Receipt = z
  .object({ status: Integer, blockNumber: Integer, gasUsed: Integer, effectiveGasPrice: Integer })
  .nullable()

/** A call as `eth_estimateGas` takes it. */
type Call = Readonly<{
  from: Hex
  to: Hex
  value?: bigint
  data?: Hex
  authorizationList?: readonly Readonly<
    Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', Hex>
  >[]
}>

const estimateFailure = (error: unknown): unknown =>
  error instanceof JsonRpcError && /revert/i.test(error.message)
    ? new TransferError('rejected', `The transaction would fail: ${error.message}`, { cause: error })
    : error

/** Reads for transfers on a chain with Ethereum's format; each result is from one endpoint. */
export const createNode = (endpoints: JsonRpcEndpoints) => {
  const ask = <T>(method: string, params: readonly unknown[], shape: z.ZodType<T>, signal?: AbortSignal) =>
    endpoints.first((endpoint) => endpoint.call({ method, params, shape }, signal))
  return {
    head: (signal?: AbortSignal) => ask('eth_getBlockByNumber', ['latest', false], Head, signal),
    tip: (signal?: AbortSignal) => ask('eth_maxPriorityFeePerGas', [], Integer, signal),
    nonceOf: async (address: Hex, block: bigint | 'latest', signal?: AbortSignal) => {
      const at = typeof block === 'bigint' ? numberToHex(block) : block
      return Number(await ask('eth_getTransactionCount', [address, at], Integer, signal))
    },
    balanceOf: (address: Hex, signal?: AbortSignal) =>
      ask('eth_getBalance', [address, 'latest'], Integer, signal),
    tokenBalancesOf: async (token: Hex, holders: readonly Hex[], signal?: AbortSignal) => {
      const calls = holders.map((holder) => {
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
        return { method: 'eth_call', params: [{ to: token, data }, 'latest'], shape: Integer }
      })
      return endpoints.first((endpoint) => endpoint.batch<bigint[]>(calls, signal))
    },
    codesOf: (addresses: readonly Hex[], signal?: AbortSignal) =>
      endpoints.first((endpoint) =>
        endpoint.batch<string[]>(
          addresses.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'], shape: Data })),
          signal,
        ),
      ),
    /** Gas with a fifth to spare: state may change before it is mined. A plain payment takes exactly 21,000. */
    estimateGas: async ({ value, ...call }: Call, signal?: AbortSignal): Promise<bigint> => {
      const params = [{ ...call, ...(value !== undefined && { value: numberToHex(value) }) }]
      try {
        const gas = await ask('eth_estimateGas', params, Integer, signal)
        return gas === 21_000n ? gas : (gas * 6n) / 5n
      } catch (error) {
        throw estimateFailure(error)
      }
    },
    receiptOf: (txId: string, signal?: AbortSignal) =>
      ask('eth_getTransactionReceipt', [txId], Receipt, signal),
    isKnown: async (txId: string, signal?: AbortSignal) =>
      (await ask('eth_getTransactionByHash', [txId], z.object({ hash: z.string() }).nullable(), signal)) !==
      null,
  }
}
export type EthereumNode = ReturnType<typeof createNode>
