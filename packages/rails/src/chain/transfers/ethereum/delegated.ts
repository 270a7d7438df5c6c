import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { SignedTransfer } from '../transfers.ts'
import {
  checkGasAccount,
  type EthereumContext,
  GAS_KEY,
  keyOf,
  nextGasNonce,
  nonceUse,
  type Order,
  toSigned,
} from './context.ts'
import { DELEGATE_ABI, delegateOf } from './deposit-delegate.ts'
import { signAuthorization, signTransaction } from './signing.ts'

/** Prefix of the code of an address with a delegate (EIP-7702). */
const DELEGATION = '0xef0100'

export type Holding = Readonly<{ index: number; address: Hex; units: bigint }>

/** Checks whether the gas account's delegate is deployed: then the chain has EIP-7702, and addresses need no gas. */
export const hasDelegate = async (
  { node, gasAccount }: EthereumContext,
  signal?: AbortSignal,
): Promise<boolean> => (await node.codesOf([delegateOf(gasAccount).address], signal))[0] !== '0x'

/** The permission of every address that does not run the delegate yet. */
const authorize = async (
  { node, keys, chainId, gasAccount }: EthereumContext,
  holdings: readonly Holding[],
  signal?: AbortSignal,
) => {
  const delegate = delegateOf(gasAccount).address
  const codes = await node.codesOf(
    holdings.map(({ address }) => address),
    signal,
  )
  const expected = `${DELEGATION}${delegate.slice(2)}`.toLowerCase()
  const fresh = holdings.filter((_, at) => codes[at]?.toLowerCase() !== expected)
  return Promise.all(
    fresh.map(async ({ index, address }) => {
      const nonce = await node.nonceOf(address, 'latest', signal)
      return signAuthorization(keys, keyOf(index), { chainId, nonce, delegate })
    }),
  )
}

/** The call of the gas account that moves tokens: of the one address, or of the delegate for many. */
export const delegatedCall = (
  { gasAccount }: Pick<EthereumContext, 'gasAccount'>,
  toAddress: Hex,
  { holdings, contract }: Readonly<{ holdings: readonly Holding[]; contract: Hex }>,
): Readonly<{ to: Hex; data: Hex }> => {
  const [only, ...others] = holdings
  if (!only) throw new RangeError('nothing to send')
  if (others.length === 0) {
    const args = [contract, toAddress, only.units] as const
    return { to: only.address, data: encodeFunctionData({ abi: DELEGATE_ABI, functionName: 'send', args }) }
  }
  const [addresses, units] = [holdings.map(({ address }) => address), holdings.map((each) => each.units)]
  const args = [contract, toAddress, addresses, units] as const
  return {
    to: delegateOf(gasAccount).address,
    data: encodeFunctionData({ abi: DELEGATE_ABI, functionName: 'sweep', args }),
  }
}

/**
 * Tokens of one or many addresses by one transaction of the gas account, which pays for all of it.
 * @throws TransferError
 */
export const signDelegated = async (
  context: EthereumContext,
  order: Order,
  { holdings, contract }: Readonly<{ holdings: readonly Holding[]; contract: Hex }>,
  signal?: AbortSignal,
): Promise<SignedTransfer> => {
  const { node, keys, chainId, gasAccount } = context
  const { to, data } = delegatedCall(context, order.toAddress, { holdings, contract })
  const authorizationList = await authorize(context, holdings, signal)
  const gas = await node.estimateGas(
    {
      ...{ from: gasAccount, to, data },
      ...(authorizationList.length > 0 && {
        authorizationList: authorizationList.map(({ chainId: chain, nonce, address, yParity, r, s }) => ({
          ...{ address, r, s },
          chainId: numberToHex(chain),
          nonce: numberToHex(nonce),
          yParity: numberToHex(yParity ?? 0),
        })),
      }),
    },
    signal,
  )
  const fee = gas * order.fees.maxFeePerGas
  await checkGasAccount(context, order, fee, signal)
  const nonce = await nextGasNonce(context, order, signal)
  const common = { chainId, nonce, to, data, gas, ...order.fees }
  const transaction = await signTransaction(
    keys,
    GAS_KEY,
    authorizationList.length > 0
      ? { type: 'eip7702', ...common, authorizationList }
      : { type: 'eip1559', ...common },
  )
  return toSigned(order, {
    sources: holdings,
    arrives: holdings.reduce((sum, { units }) => sum + units, 0n),
    fee,
    transactions: [transaction],
    spends: [nonceUse(gasAccount, nonce)],
  })
}
