import { refuse } from '@causeway/chassis'
import type { Asset, Network, Refusal, RefundRequest } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { RefundCoin } from './signed-refund.ts'

/** Amount and source addresses of a refund. */
export type RefundSource = Readonly<{
  /** Null: unknown money. */
  orderId: string | null
  /** Null: what the order has received. */
  unattributedMoneyId: string | null
  network: Network
  asset: Asset
  /** Number of the address; null where the signer has no key for it, so that staff send it. */
  keyIndex: number | null
  fromAddress: string
  amount: string
  coins: readonly RefundCoin[]
  /** The unattributed money that it ends. */
  moneyIds: readonly string[]
}>

/** A deposit, or a part of one, that can be sent back. */
export type RefundablePart = RefundCoin & Readonly<{ id: string; amount: string }>

/** Inputs of one transaction of the signer. */
const MOST_COINS = 200

/**
 * The parts of one asset that go into one refund: all of them, the largest first; on a network with unspent outputs as
 * many as one transaction takes. Smaller ones stay on the list: dust keeps nothing else from being sent back.
 */
export const chooseParts = (
  network: Network,
  asset: Asset,
  parts: readonly RefundablePart[],
): Readonly<{ amount: string; parts: readonly RefundablePart[] }> => {
  const decimals = ASSET_DECIMALS[asset]
  const units = ({ amount }: RefundablePart) => toUnits(amount, decimals)
  const isUtxo = network === 'BTC' || network === 'LTC'
  const chosen = parts
    .toSorted((a, b) => (units(a) === units(b) ? 0 : units(a) > units(b) ? -1 : 1))
    .slice(0, isUtxo ? MOST_COINS : undefined)
  const sum = chosen.reduce((total, part) => total + units(part), 0n)
  return { amount: fromUnits(sum, decimals), parts: chosen }
}

/** Refuses what is not as the plan showed it. */
export const refuseUnexpected = (
  { expected }: RefundRequest,
  { amount, fromAddress }: RefundSource,
): Refusal<'invalid_state'> | null =>
  expected === undefined || (expected.amount === amount && expected.from_address === fromAddress)
    ? null
    : refuse('invalid_state', [{ reason: 'not_as_expected', amount, from_address: fromAddress }])
