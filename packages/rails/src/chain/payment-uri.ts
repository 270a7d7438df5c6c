import type { Asset, Network } from '@causeway/contracts'
import type { Destination } from './destinations.ts'
import { ASSET_DECIMALS, ETHEREUM_CHAIN_ID, TOKEN_CONTRACTS } from './networks.ts'
import { fromUnits, toUnits } from './units.ts'
import { decodeXAddress } from './xrp-address.ts'

export type PaymentRequest = Destination &
  Readonly<{ network: Network; asset: Asset; /** Decimal, in the asset */ amount: string }>

/** EIP-681. The native asset in wei as `value`; a token as a call of its contract's `transfer`. */
const ethereumUri = (asset: Asset, address: string, units: bigint): string => {
  if (asset === 'ETH') return `ethereum:${address}@${ETHEREUM_CHAIN_ID}?value=${units}`
  const contract = TOKEN_CONTRACTS[asset]
  if (contract === undefined) throw new RangeError(`${asset} has no contract on Ethereum`)
  return `ethereum:${contract}@${ETHEREUM_CHAIN_ID}/transfer?address=${address}&uint256=${units}`
}

/** `xrpl:` with the classic address and the tag apart, which is what wallets read. */
const xrplUri = (xAddress: string, amount: string): string => {
  const { classicAddress, tag } = decodeXAddress(xAddress)
  return `xrpl:${classicAddress}?amount=${amount}&dt=${tag}`
}

/**
 * The URI that opens a wallet with address and amount filled in: BIP-21 (BTC, LTC), EIP-681 (ETH and
 * tokens), Solana Pay (SOL), `xrpl:` (XRP). Exact amounts without exponent.
 * @throws RangeError for an amount finer than the asset's smallest unit
 */
export const paymentUri = ({ network, asset, address, watchAddress, amount }: PaymentRequest): string => {
  const units = toUnits(amount, ASSET_DECIMALS[asset])
  const decimal = fromUnits(units, ASSET_DECIMALS[asset])
  switch (network) {
    case 'BTC':
      return `bitcoin:${address}?amount=${decimal}`
    case 'LTC':
      return `litecoin:${address}?amount=${decimal}`
    case 'ETH':
      return ethereumUri(asset, address, units)
    case 'SOL':
      return `solana:${address}?amount=${decimal}&reference=${watchAddress}`
    case 'XRP':
      return xrplUri(address, decimal)
  }
}
