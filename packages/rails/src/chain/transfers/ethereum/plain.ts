import type { Hex } from 'viem'
import { type SignedTransfer, TransferError } from '../transfers.ts'
import {
  checkGasAccount,
  type EthereumContext,
  GAS_KEY,
  keyOf,
  nextGasNonce,
  nonceUse,
  type Order,
  tokenCall,
  toSigned,
} from './context.ts'
import { signTransaction } from './signing.ts'

/**
 * Returns the cost of sending ETH and the amount that arrives, in wei.
 * @throws TransferError when gas may cost the whole amount
 */
export const costOfEther = async (
  { node, addressOf }: EthereumContext,
  { toAddress, fees }: Pick<Order, 'toAddress' | 'fees'>,
  { index, amount }: Readonly<{ index: number; amount: bigint }>,
  signal?: AbortSignal,
): Promise<Readonly<{ gas: bigint; fee: bigint; arrives: bigint }>> => {
  const gas = await node.estimateGas({ from: addressOf(index), to: toAddress, value: amount }, signal)
  const fee = gas * fees.maxFeePerGas
  const arrives = amount - fee
  if (arrives <= 0n)
    throw new TransferError('below_dust', `${amount} wei do not cover the maximum price of gas, ${fee} wei`)
  return { gas, fee, arrives }
}

/**
 * ETH by a transaction of the deposit address itself. Its nonce is the next that no block has: of two that are signed
 * for one address only one can be mined.
 * @param amount wei that leave the address, the most that gas may cost included
 * @throws TransferError
 */
export const signEther = async (
  context: EthereumContext,
  order: Order,
  { index, amount }: Readonly<{ index: number; amount: bigint }>,
  signal?: AbortSignal,
): Promise<SignedTransfer> => {
  const { node, keys, chainId, addressOf } = context
  const from = addressOf(index)
  const { gas, fee, arrives } = await costOfEther(context, order, { index, amount }, signal)
  const nonce = await node.nonceOf(from, 'latest', signal)
  const transaction = await signTransaction(keys, keyOf(index), {
    ...{ type: 'eip1559', chainId, nonce, to: order.toAddress, value: arrives, gas, ...order.fees },
  })
  return toSigned(order, {
    sources: [{ index, address: from, units: amount }],
    arrives,
    fee,
    transactions: [transaction],
    spends: [nonceUse(from, nonce)],
  })
}

/**
 * Signs a token transfer on a chain without a delegate: the gas account sends the maximum gas cost to the deposit address,
 * then the address sends the token. Both are signed together; the second can be sent after the first is mined.
 * @throws TransferError
 */
export const signPlainToken = async (
  context: EthereumContext,
  order: Order,
  { index, units, contract }: Readonly<{ index: number; units: bigint; contract: Hex }>,
  signal?: AbortSignal,
): Promise<SignedTransfer> => {
  const { node, keys, chainId, addressOf, gasAccount } = context
  const { maxFeePerGas } = order.fees
  const from = addressOf(index)
  const data = tokenCall(order.toAddress, units)
  const gas = await node.estimateGas({ from, to: contract, data }, signal)
  const held = await node.balanceOf(from, signal)
  const missing = gas * maxFeePerGas - held
  const nonce = await node.nonceOf(from, 'latest', signal)
  const second = await signTransaction(keys, keyOf(index), {
    ...{ type: 'eip1559', chainId, nonce, to: contract, data, gas, ...order.fees },
  })
  const parts = { sources: [{ index, address: from, units }], arrives: units }
  const spends = [nonceUse(from, nonce)]
  if (missing <= 0n)
    return toSigned(order, { ...parts, fee: gas * maxFeePerGas, transactions: [second], spends })
  const fundingGas = await node.estimateGas({ from: gasAccount, to: from, value: 1n }, signal)
  await checkGasAccount(context, order, missing + fundingGas * maxFeePerGas, signal)
  const gasNonce = await nextGasNonce(context, order, signal)
  const first = await signTransaction(keys, GAS_KEY, {
    ...{
      type: 'eip1559',
      chainId,
      nonce: gasNonce,
      to: from,
      value: missing,
      gas: fundingGas,
      ...order.fees,
    },
  })
  return toSigned(order, {
    ...parts,
    fee: (gas + fundingGas) * maxFeePerGas,
    transactions: [first, second],
    spends: [nonceUse(gasAccount, gasNonce), ...spends],
  })
}
