import type { UtxoNetwork } from '../../bitcoin/parameters.ts'
import { fromUnits } from '../../units.ts'
import { TransferError } from '../transfers.ts'
import { dustOf, feeOf, inputCost } from './sizes.ts'
import { outpointOf, type UnspentCoin } from './spending-endpoint.ts'

/** A transaction before it is signed, in satoshi. */
export type Plan = Readonly<{
  inputs: readonly UnspentCoin[]
  /** Amount for `toScript`. */
  arrives: bigint
  /** Change to the address of the inputs; 0 without change. */
  change: bigint
  /** Dust that cannot go back goes to the miners too, and is not counted in it. */
  fee: bigint
}>

type Terms = Readonly<{
  network: UtxoNetwork
  coins: readonly UnspentCoin[]
  toScript: Uint8Array
  /** Satoshi for 1,000 virtual bytes. */
  rate: bigint
}>

/** Inputs of a transfer from one address: 14 kB. */
const MOST_INPUTS = 200
/** Inputs of a sweep: 34 kB of the 100 that nodes pass on. */
const MOST_SWEPT = 500

const sumOf = (coins: readonly UnspentCoin[]): bigint => coins.reduce((sum, { value }) => sum + value, 0n)

const byValue = (a: UnspentCoin, b: UnspentCoin): number =>
  a.value === b.value ? outpointOf(a).localeCompare(outpointOf(b)) : a.value > b.value ? -1 : 1

/**
 * Every coin that is worth its input, the largest first, and smaller ones while the amount needs them. So all transfers
 * from an address spend its largest coin until one is mined: of two, only one ever is.
 */
const choose = (coins: readonly UnspentCoin[], amount: bigint, rate: bigint): readonly UnspentCoin[] => {
  const chosen: UnspentCoin[] = []
  let sum = 0n
  for (const coin of coins.toSorted(byValue).slice(0, MOST_INPUTS)) {
    if (coin.value <= inputCost(rate) && sum >= amount) break
    chosen.push(coin)
    sum += coin.value
  }
  return chosen
}

const shown = (units: bigint, network: string): string => `${fromUnits(units, 8)} ${network}`

/**
 * A transfer of `amount`, its fee included, from the one address of these coins. What they hold above it goes back
 * there, unless it is dust: that is left to the miners.
 * @throws TransferError
 */
export const planTransfer = (
  { network, coins, toScript, rate }: Terms,
  amount: bigint,
  ownScript: Uint8Array,
): Plan => {
  const inputs = choose(coins, amount, rate)
  const held = sumOf(inputs)
  if (held < amount) {
    const most = coins.length > MOST_INPUTS ? `, the maximum of ${MOST_INPUTS} of its coins` : ''
    throw new TransferError(
      'insufficient_funds',
      `The address holds ${shown(held, network)}${most}; it cannot send ${shown(amount, network)}`,
    )
  }
  const rest = held - amount
  const change = rest < dustOf(network, ownScript) ? 0n : rest
  const fee = feeOf(inputs.length, change > 0n ? [toScript, ownScript] : [toScript], rate)
  const arrives = amount - fee
  if (arrives < dustOf(network, toScript))
    throw new TransferError(
      'below_dust',
      `The fee of ${shown(fee, network)} leaves too little of ${shown(amount, network)} for a valid output`,
    )
  return { inputs, arrives, change, fee }
}

/**
 * Everything worth its input at these addresses, taken in their order until the transaction is full; null when that
 * is too little to be sent.
 * @param addresses in the order of their turn
 */
export const planSweep = (
  { network, coins, toScript, rate }: Terms,
  addresses: readonly string[],
): Plan | null => {
  const worthy = coins.filter(({ value }) => value > inputCost(rate)).toSorted(byValue)
  const inputs = addresses
    .flatMap((address) => worthy.filter((coin) => coin.address === address))
    .slice(0, MOST_SWEPT)
  const fee = feeOf(inputs.length, [toScript], rate)
  const arrives = sumOf(inputs) - fee
  return arrives < dustOf(network, toScript) ? null : { inputs, arrives, change: 0n, fee }
}
