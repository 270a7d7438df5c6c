import { NotDoneError, type ServiceClient } from '@causeway/chassis'
import { pricePlans } from '@causeway/contracts'
import { partsOfUnit } from '../posting/amounts.ts'

type Balance = Readonly<{ ownerId: string; unit: string }>

/** Returns the fee of a payout of a balance, in the unit's smallest part. */
export type FeeOf = (balance: Balance) => bigint

/**
 * Asks payments for the fees of payouts under the price plans that are in force (decisions §52). Payouts of assets have none.
 * @throws NotDoneError when payments is unavailable
 */
export const readPayoutFees = async (ask: ServiceClient, balances: readonly Balance[]): Promise<FeeOf> => {
  const charged = balances.filter(({ unit }) => 'currency' in partsOfUnit(unit))
  if (charged.length === 0) return () => 0n
  const owners = [...new Set(charged.map(({ ownerId }) => ownerId))]
  const answer = await ask(pricePlans.listPayoutFees, { partner_customer_ids: owners })
  if (!answer.ok) throw new NotDoneError(`Payments returned ${answer.code}`)
  const fees = new Map(
    answer.value.payout_fees.map((each) => [each.partner_customer_id, BigInt(each.payout_fee_cents)]),
  )
  return ({ ownerId, unit }) => ('currency' in partsOfUnit(unit) ? (fees.get(ownerId) ?? 0n) : 0n)
}
