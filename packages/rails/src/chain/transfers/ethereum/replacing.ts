import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type SignedAuthorizationList,
  type TransactionSerialized,
} from 'viem'
import { parseGwei } from 'viem/utils'
import { ASSET_DECIMALS } from '../../networks.ts'
import { fromUnits, toUnits } from '../../units.ts'
import type { KeyPath } from '../account-keys.ts'
import { type SignedTransfer, TransferError } from '../transfers.ts'
import { checkGasAccount, type EthereumContext, GAS_KEY, keyOf, nonceUse, tokenCall } from './context.ts'
import { delegatedCall } from './delegated.ts'
import { type GasFees, raiseGasFees, readGasFees } from './fees.ts'
import { signTransaction } from './signing.ts'

/** A signed transaction of this wallet, and the key that signed it. */
type Own = Readonly<{
  from: Hex
  key: KeyPath
  to: Hex
  data: Hex
  nonce: number
  value: bigint
  gas: bigint
  fees: GasFees
  authorizationList: SignedAuthorizationList | undefined
}>

const readOwn = async (
  { chainId, gasAccount, addressOf }: EthereumContext,
  raw: Hex,
  indices: readonly number[],
): Promise<Own | null> => {
  const parsed = parseTransaction(raw as TransactionSerialized)
  if (parsed.type !== 'eip1559' && parsed.type !== 'eip7702') return null
  const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  const index = indices.find((each) => addressOf(each).toLowerCase() === from.toLowerCase())
  const isGas = from.toLowerCase() === gasAccount.toLowerCase()
  const key = isGas ? GAS_KEY : index === undefined ? null : keyOf(index)
  if (key === null || parsed.chainId !== chainId) return null
  return {
    ...{ from, key, to: parsed.to ?? '0x', data: parsed.data ?? '0x', nonce: parsed.nonce ?? 0 },
    ...{ value: parsed.value ?? 0n, gas: parsed.gas ?? 0n },
    fees: {
      maxFeePerGas: parsed.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? 0n,
    },
    authorizationList: parsed.type === 'eip7702' ? parsed.authorizationList : undefined,
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The call that the last transaction of a transfer makes, by who signed it; null where it may not have signed it. */
const callOf = (context: EthereumContext, previous: SignedTransfer, { from }: Own) => {
  const { asset, sources } = previous
  const toAddress = previous.toAddress as Hex
  const contract = context.contractOf(asset)
  const holdings = sources.map(({ index, amount }) => ({
    index,
    address: context.addressOf(index),
    units: toUnits(amount, ASSET_DECIMALS[asset]),
  }))
  const [only, ...others] = holdings
  if (contract !== null && isSame(from, context.gasAccount))
    return { ...delegatedCall(context, toAddress, { holdings, contract }), isEther: false }
  if (only === undefined || others.length > 0 || !isSame(from, only.address)) return null
  return contract === null
    ? { to: toAddress, data: '0x' as Hex, isEther: true }
    : { to: contract, data: tokenCall(toAddress, only.units), isEther: false }
}

type Parts = Readonly<{
  last: Own
  /** The transaction that pays the gas of the last. */
  funding: Own | null
  isEther: boolean
}>

const areSpends = (previous: SignedTransfer, transactions: readonly Own[]): boolean => {
  const uses = transactions.map(({ from, nonce }) => nonceUse(from, nonce).toLowerCase())
  return uses.every((use) => previous.spends.some((spent) => spent.toLowerCase() === use))
}

/** Reads the transactions of a transfer. @throws Error when this wallet has not signed exactly this transfer */
const readParts = async (context: EthereumContext, previous: SignedTransfer): Promise<Parts> => {
  const { sources, rawTransactions, txId, amount, networkFee, asset } = previous
  const indices = sources.map(({ index }) => index)
  const raws = rawTransactions as readonly Hex[]
  const owns = (await Promise.all(raws.map((raw) => readOwn(context, raw, indices)))).filter(
    (own) => own !== null,
  )
  const [last, funding = null, ...more] = owns.toReversed()
  const call = last && callOf(context, previous, last)
  const unitsOf = (decimal: string) => toUnits(decimal, ASSET_DECIMALS[asset])
  const [arrives, fee] = [unitsOf(amount), toUnits(networkFee, ASSET_DECIMALS.ETH)]
  const leaves = sources.reduce((sum, source) => sum + unitsOf(source.amount), 0n)
  const asSaid =
    call &&
    owns.length === raws.length &&
    more.length === 0 &&
    isSame(last.to, call.to) &&
    isSame(last.data, call.data) &&
    last.value === (call.isEther ? arrives : 0n) &&
    leaves === (call.isEther ? arrives + fee : arrives) &&
    fee === (last.gas + (funding?.gas ?? 0n)) * last.fees.maxFeePerGas &&
    (funding === null || (isSame(funding.to, last.from) && isSame(funding.from, context.gasAccount))) &&
    sources.every(({ index, address }) => isSame(context.addressOf(index), address)) &&
    keccak256(raws.at(-1) ?? '0x') === txId &&
    areSpends(previous, owns)
  if (!asSaid) throw new Error(`This wallet has not signed transfer ${txId} as it is`)
  return { last, funding, isEther: call.isEther }
}

const sign = ({ keys, chainId }: EthereumContext, own: Own, value: bigint, fees: GasFees) => {
  const { key, to, data, nonce, gas, authorizationList } = own
  const common = { chainId, nonce, to, data, value, gas, ...fees }
  return signTransaction(
    keys,
    key,
    authorizationList === undefined
      ? { type: 'eip1559', ...common }
      : { type: 'eip7702', ...common, authorizationList },
  )
}

/**
 * Signs a transfer again with higher fees and the same nonces. A transfer of two transactions has both replaced; once the
 * first is mined, the second has no gas for a higher fee and is left as it is.
 * @param gasPriceMax gwei for a unit of gas
 */
export const signReplacement = async (
  context: EthereumContext,
  previous: SignedTransfer,
  { gasPriceMax, feeMax }: Readonly<{ gasPriceMax: number; feeMax: string | null }>,
  signal?: AbortSignal,
): Promise<SignedTransfer | null> => {
  const { node } = context
  const { last, funding, isEther } = await readParts(context, previous)
  const first = funding ?? last
  // A used nonce is mined; one that is not the next waits for another transaction, not for its own fee.
  if ((await node.nonceOf(first.from, 'latest', signal)) !== first.nonce) return null
  const limit = parseGwei(String(gasPriceMax))
  const fees = raiseGasFees(last.fees, await readGasFees(node, limit, signal), limit)
  const gas = last.gas + (funding?.gas ?? 0n)
  const fee = gas * fees.maxFeePerGas
  const raised = fee - toUnits(previous.networkFee, ASSET_DECIMALS.ETH)
  const asDecimal = (wei: bigint) => fromUnits(wei, ASSET_DECIMALS.ETH)
  if (feeMax !== null && fee > toUnits(feeMax, ASSET_DECIMALS.ETH))
    throw new TransferError('fee_above_limit', `A fee of ${asDecimal(fee)} ETH is above ${feeMax} ETH`)
  const value = isEther ? last.value - raised : last.value
  if (isEther && value <= 0n)
    throw new TransferError('below_dust', `A fee of ${asDecimal(fee)} ETH leaves nothing`)
  const { number } = await node.head(signal)
  const transactions = []
  if (funding !== null) {
    const missing = funding.value + last.gas * (fees.maxFeePerGas - last.fees.maxFeePerGas)
    await checkGasAccount(context, { outstanding: [] }, missing + funding.gas * fees.maxFeePerGas, signal)
    transactions.push(await sign(context, funding, missing, fees))
  } else if (isSame(last.from, context.gasAccount))
    await checkGasAccount(context, { outstanding: [] }, fee, signal)
  else if (!isEther && (await node.balanceOf(last.from, signal)) < fee) return null
  transactions.push(await sign(context, last, value, fees))
  return {
    ...previous,
    amount: isEther ? asDecimal(value) : previous.amount,
    networkFee: asDecimal(fee),
    txId: transactions.at(-1)?.txId ?? '',
    rawTransactions: transactions.map(({ rawTransaction }) => rawTransaction),
    replacedAt: Number(number),
  }
}
