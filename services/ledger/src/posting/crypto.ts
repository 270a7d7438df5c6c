import { DEPOSIT_BUCKETS, type Asset, type DepositBucket, type Network } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import {
  converted,
  NETWORK_FEE_COST,
  onChain,
  ownedAccount,
  payers,
  SERVICE_FEE_INCOME,
  type Account,
} from './accounts.ts'
import { reversed, transferOf, type Transfer } from './posting.ts'
import type { LedgerFactOf } from '@causeway/contracts'

const unitOf = (network: Network, asset: Asset): string => `${network}/${asset}`

/** A decimal, which may be negative, in the asset's smallest unit. @throws RangeError for more decimals than it has */
const unitsOf = (asset: Asset, amount: string): bigint =>
  amount.startsWith('-')
    ? -toUnits(amount.slice(1), ASSET_DECIMALS[asset])
    : toUnits(amount, ASSET_DECIMALS[asset])

const bucketAccount = (bucket: DepositBucket, relationshipId: string): Account =>
  bucket === 'applied' ? ownedAccount(relationshipId, 'available') : payers(bucket)

/** Returns the transfer of a change of the service fee: what is applied bears it, and gets it back with what it loses. */
const feeMoved = (fact: LedgerFactOf<'deposit_moved'>): Transfer[] => {
  const merchant = ownedAccount(fact.partner_customer_id, 'available')
  const unit = unitOf(fact.network, fact.asset)
  const difference = unitsOf(fact.asset, fact.service_fee ?? '0')
  return difference < 0n
    ? transferOf(SERVICE_FEE_INCOME, merchant, unit, -difference, 'fee_returned')
    : transferOf(merchant, SERVICE_FEE_INCOME, unit, difference, 'service_fee')
}

/** Returns a transfer of a signed amount: a negative one goes from the second account to the first. */
const signedTransfer = (debit: Account, credit: Account, unit: string, amount: bigint): Transfer[] =>
  amount < 0n
    ? transferOf(credit, debit, unit, -amount, 'conversion')
    : transferOf(debit, credit, unit, amount, 'conversion')

/** Returns the transfers of a conversion: the asset leaves the merchant, and its value in a currency arrives; or the reverse. */
const settledMoved = (fact: LedgerFactOf<'deposit_moved'>): Transfer[] => {
  const { settled_amount: amount = '0', settled_cents: cents = 0, settled_currency: currency } = fact
  if (currency === undefined) return []
  const merchant = ownedAccount(fact.partner_customer_id, 'available')
  const unit = unitOf(fact.network, fact.asset)
  return [
    ...signedTransfer(merchant, converted(unit), unit, unitsOf(fact.asset, amount)),
    ...signedTransfer(converted(currency), merchant, currency, BigInt(cents)),
  ]
}

/** Returns one transfer for each bucket that changes, between the bucket and the chain's deposits, that of the fee, and those of the conversion. */
export const depositMoved = (fact: LedgerFactOf<'deposit_moved'>): Transfer[] => {
  const deposits = onChain(fact.network, 'deposits')
  const unit = unitOf(fact.network, fact.asset)
  const moves = DEPOSIT_BUCKETS.flatMap((bucket) => {
    const difference = unitsOf(fact.asset, fact[bucket])
    const account = bucketAccount(bucket, fact.partner_customer_id)
    return difference < 0n
      ? transferOf(account, deposits, unit, -difference, 'deposit_reverted')
      : transferOf(deposits, account, unit, difference, 'deposit')
  })
  return [...moves, ...feeMoved(fact), ...settledMoved(fact)]
}

/** Returns the transfers of a refund: what the payer receives leaves the bucket, and the fee leaves who bears it. */
export const cryptoRefunded = (fact: LedgerFactOf<'crypto_refunded'>): Transfer[] => {
  const { network, asset, network_fee: fee } = fact
  const bucket = bucketAccount(fact.bucket, fact.partner_customer_id)
  const bearer = fee.borne_by === 'platform' ? NETWORK_FEE_COST : bucket
  const unit = unitOf(network, asset)
  const feeUnit = unitOf(network, fee.asset)
  return [
    ...transferOf(bucket, onChain(network, 'deposits'), unit, unitsOf(asset, fact.amount), 'refund'),
    ...transferOf(
      bearer,
      onChain(network, fee.paid_from),
      feeUnit,
      unitsOf(fee.asset, fee.amount),
      'network_fee',
    ),
  ]
}

/** Returns the transfers of a sweep. What the broadcast put in flight is cleared when it is confirmed or has failed. */
export const transferMoved = (fact: LedgerFactOf<'transfer_moved'>): Transfer[] => {
  const { network, asset, step, network_fee: fee } = fact
  const [inFlight, deposits] = [onChain(network, 'in_flight'), onChain(network, 'deposits')]
  const move = (debit: Account, credit: Account, amount: bigint, ofAsset = asset) =>
    transferOf(debit, credit, unitOf(network, ofAsset), amount, 'network_fee')
  const leaving = move(inFlight, deposits, unitsOf(asset, fact.leaves))
  if (step === 'broadcast') return leaving
  const paid = unitsOf(fee.asset, fee.amount)
  const spent = move(NETWORK_FEE_COST, onChain(network, fee.paid_from), paid, fee.asset)
  return [
    ...reversed(leaving),
    ...move(onChain(network, 'treasury'), deposits, unitsOf(asset, fact.arrives)),
    ...spent,
  ]
}
