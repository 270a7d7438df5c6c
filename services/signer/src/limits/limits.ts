import { refuse } from '@causeway/chassis'
import { ASSETS, type Asset, type Network, type Refusal } from '@causeway/contracts'
import { ASSET_DECIMALS, canonicalAddress, fromUnits, toUnits } from '@causeway/rails/networks'

/** Decimals by asset. */
export type AssetAmounts = Readonly<Record<Asset, string>>

/** The most that the signer pays back, whatever was approved (decisions §20). A UTC day is meant. */
export type Limits = Readonly<{
  perTransfer: AssetAmounts
  perDay: AssetAmounts
  perAddressAndDay: AssetAmounts
}>

/** A payment: the amount that leaves a deposit address, and the recipient. */
export type Payment = Readonly<{ network: Network; asset: Asset; toAddress: string; amount: string }>

/** Checks whether a text is an amount of an asset, with at most its decimals. */
export const isAmount = (asset: Asset, text: string): boolean => {
  const [, fraction = ''] = /^\d{1,30}(?:\.(\d+))?$/.exec(text) ?? [null, null]
  return fraction !== null && fraction.length <= ASSET_DECIMALS[asset]
}

/** Reads `BTC:0.1,ETH:4`: the defaults hold for what is not named. @throws Error with what is wrong */
export const parseAmounts = (text: string, defaults: Readonly<Partial<AssetAmounts>>): AssetAmounts => {
  const named = Object.fromEntries(
    text.split(',').flatMap((part) => {
      if (part.trim() === '') return []
      const [name, amount = '', ...rest] = part.trim().split(':')
      const asset = ASSETS.find((known) => known === name)
      if (asset === undefined || rest.length > 0 || !isAmount(asset, amount))
        throw new Error('must be a list such as BTC:0.1,USDC:10000')
      return [[asset, amount]]
    }),
  )
  return { ...defaults, ...named } as AssetAmounts
}

/** The same address always counts as the same. */
export const canonicalRecipient = ({ network, toAddress }: Payment): string =>
  canonicalAddress(network, toAddress)

/** The UTC day of a time. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)
const endOfDay = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString()

type Spent = readonly Readonly<{ toAddress: string; amount: string }>[]

/** @param spent what was signed on the day before this payment */
export const judgeLimits = (
  payment: Payment,
  spent: Spent,
  limits: Limits,
  now: Date,
): Refusal<'limit_reached'> | null => {
  const { asset, amount } = payment
  const decimals = ASSET_DECIMALS[asset]
  const units = (text: string) => toUnits(text, decimals)
  const spentOn = (address: string) =>
    units(spent.find(({ toAddress }) => toAddress === address)?.amount ?? '0')
  const judged = [
    { applies_to: 'transfer', limit: limits.perTransfer[asset], used: 0n, resets_at: null },
    { applies_to: 'day', limit: limits.perDay[asset], used: spentOn(''), resets_at: endOfDay(now) },
    {
      applies_to: 'address_and_day',
      limit: limits.perAddressAndDay[asset],
      used: spentOn(canonicalRecipient(payment)),
      resets_at: endOfDay(now),
    },
  ]
  const reached = judged.find(({ limit, used }) => used + units(amount) > units(limit))
  if (reached === undefined) return null
  const { applies_to, limit, used, resets_at } = reached
  const left = units(limit) - used
  const remaining = fromUnits(left > 0n ? left : 0n, decimals)
  return refuse('limit_reached', [
    { resource: 'crypto_refunds', applies_to, limit, remaining, asset, resets_at },
  ])
}
