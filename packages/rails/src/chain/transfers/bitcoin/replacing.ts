import { fromUnits, toUnits } from '../../units.ts'
import { type SignedTransfer, TransferError } from '../transfers.ts'
import type { Plan } from './plan.ts'
import { readPaid } from './signing.ts'
import { dustOf, feeOf, replacementFee } from './sizes.ts'
import { outpointOf, type UnspentCoin } from './spending-endpoint.ts'
import { type BitcoinTransfersOptions, mostFeeRate } from './spending-endpoints.ts'

const DECIMALS = 8
const unitsOf = (amount: string): bigint => toUnits(amount, DECIMALS)

/** The parts of a signed transfer that stay in its replacement. */
export type Parts = Readonly<{
  previous: SignedTransfer
  rawTransaction: string
  toScript: Uint8Array
  /** Script of the address that it spends from; change returns there. */
  ownScript: Uint8Array
  change: bigint
}>

/**
 * Reads the transaction of a transfer, which has to be what the transfer says.
 * @throws Error when it differs
 */
export const readParts = (previous: SignedTransfer, toScript: Uint8Array, ownScript: Uint8Array): Parts => {
  const [rawTransaction = '', ...others] = previous.rawTransactions
  const { txId, spends, outputs } = readPaid(rawTransaction)
  const [to, back, ...more] = outputs
  const isAsSaid =
    others.length === 0 &&
    more.length === 0 &&
    txId === previous.txId &&
    spends.join() === previous.spends.join() &&
    to !== undefined &&
    Buffer.from(to.script).equals(toScript) &&
    to.value === unitsOf(previous.amount) &&
    (back === undefined || (previous.sources.length === 1 && Buffer.from(back.script).equals(ownScript)))
  if (!isAsSaid) throw new Error(`The transaction of ${previous.txId} is not what its transfer says`)
  return { previous, rawTransaction, toScript, ownScript, change: back?.value ?? 0n }
}

/**
 * Returns the higher fee of a replacement and what then arrives.
 * @param rate what the network asks for now, satoshi for 1,000 virtual bytes
 * @throws TransferError when it is above a limit, or too little would arrive
 */
export const raiseFee = (
  { previous, toScript, ownScript, change }: Parts,
  options: Pick<BitcoinTransfersOptions, 'network' | 'feeRates'>,
  rate: bigint,
  feeMax: string | null,
): Readonly<{ fee: bigint; arrives: bigint }> => {
  const { network } = options
  const inputs = previous.spends.length
  const scripts = change > 0n ? [toScript, ownScript] : [toScript]
  const paid = unitsOf(previous.networkFee)
  const [asked, least] = [feeOf(inputs, scripts, rate), replacementFee(paid, inputs, scripts)]
  const fee = asked > least ? asked : least
  const arrives = unitsOf(previous.amount) + paid - fee
  const shown = (units: bigint) => `${fromUnits(units, DECIMALS)} ${network}`
  if (fee > feeOf(inputs, scripts, mostFeeRate(options)))
    throw new TransferError('fee_above_limit', `A fee of ${shown(fee)} is above ${network}_FEE_RATE_MAX`)
  if (feeMax !== null && fee > unitsOf(feeMax))
    throw new TransferError('fee_above_limit', `A fee of ${shown(fee)} is above ${feeMax} ${network}`)
  if (arrives < dustOf(network, toScript))
    throw new TransferError('below_dust', `A fee of ${shown(fee)} leaves too little for a valid output`)
  return { fee, arrives }
}

/**
 * Returns the plan of a replacement; null when a coin is spent, because then a version is mined.
 * @param found the coins of the transfer that are unspent in mined transactions
 * @throws Error when the coins do not hold what the transfer says
 */
export const planReplacement = (
  { previous, change }: Parts,
  { fee, arrives }: ReturnType<typeof raiseFee>,
  found: readonly UnspentCoin[],
): Plan | null => {
  const byOutpoint = new Map(found.map((coin) => [outpointOf(coin), coin]))
  const inputs = previous.spends.flatMap((outpoint) => byOutpoint.get(outpoint) ?? [])
  if (inputs.length < previous.spends.length) return null
  for (const { address, amount } of previous.sources) {
    const coins = inputs.filter((coin) => coin.address === address)
    const held = coins.reduce((sum, { value }) => sum + value, 0n)
    if (held - change !== unitsOf(amount))
      throw new Error(`The coins of ${address} do not hold what transfer ${previous.txId} says`)
  }
  return { inputs, arrives, change, fee }
}
