import { ownedAccount, receivable, SERVICE_FEE_INCOME, type Account } from './accounts.ts'
import { reversed, transferOf, type Transfer } from './posting.ts'
import type { LedgerFactOf } from '@causeway/contracts'

type Shares = Pick<
  LedgerFactOf<'card_disputed'>,
  'partner_id' | 'partner_customer_id' | 'currency' | 'partner_fee_cents' | 'splits'
>
type OwnedBalance = 'pending' | 'available'

/** Returns the shares of the partner and the split receivers, taken from a payment that is in `balance`. */
const takeShares = (fact: Shares, balance: OwnedBalance): Transfer[] => {
  const merchant = ownedAccount(fact.partner_customer_id, balance)
  const take = (owner: string, amountCents: number, kind: 'partner_fee' | 'split') =>
    transferOf(merchant, ownedAccount(owner, balance), fact.currency, amountCents, kind)
  return [
    ...take(fact.partner_id, fact.partner_fee_cents, 'partner_fee'),
    ...fact.splits
      // A share for the payment's own relationship moves nothing.
      .filter((split) => split.partner_customer_id !== fact.partner_customer_id)
      .flatMap((split) => take(split.partner_customer_id, split.amount_cents, 'split')),
  ]
}

/** Returns the transfers of a payment: the gross amount is earned, then the fees and splits are taken from it. */
export const cardPaid = (fact: LedgerFactOf<'card_paid'>): Transfer[] => {
  const { currency, processor, total_cents, service_fee_cents } = fact
  const merchant = ownedAccount(fact.partner_customer_id, 'pending')
  return [
    ...transferOf(receivable(processor), merchant, currency, total_cents, 'payment'),
    ...transferOf(merchant, SERVICE_FEE_INCOME, currency, service_fee_cents, 'service_fee'),
    ...takeShares(fact, 'pending'),
  ]
}

/** A refund made before the payment became available is taken from `pending`. The fact's times decide, so postings commute. */
const refundBalance = ({ at, available_at }: LedgerFactOf<'card_refunded'>): OwnedBalance =>
  Date.parse(at) < Date.parse(available_at) ? 'pending' : 'available'

/** Returns the transfers of a refund, which gives back the shares of fees and splits that the fact names. */
export const cardRefunded = (fact: LedgerFactOf<'card_refunded'>): Transfer[] => {
  const { currency, processor, amount_cents, service_fee_cents } = fact
  const balance = refundBalance(fact)
  const merchant = ownedAccount(fact.partner_customer_id, balance)
  const transfers = [
    ...transferOf(merchant, receivable(processor), currency, amount_cents, 'refund'),
    ...transferOf(SERVICE_FEE_INCOME, merchant, currency, service_fee_cents, 'fee_returned'),
    ...reversed(takeShares(fact, balance)),
  ]
  return fact.reverses === null ? transfers : reversed(transfers)
}

/** Returns the transfers of a dispute. The processor's fee may be in another currency than the order; a plan's is income. */
export const cardDisputed = (fact: LedgerFactOf<'card_disputed'>): Transfer[] => {
  const { currency, amount_cents, fee, plan_fee_cents: planFee = 0 } = fact
  const merchant = ownedAccount(fact.partner_customer_id, 'available')
  const processor: Account = receivable(fact.processor)
  const transfers = [
    ...transferOf(merchant, processor, currency, amount_cents, 'dispute'),
    ...reversed(takeShares(fact, 'available')),
    ...(fee === null ? [] : transferOf(merchant, processor, fee.currency, fee.amount_cents, 'dispute_fee')),
    ...transferOf(merchant, SERVICE_FEE_INCOME, currency, planFee, 'dispute_fee'),
  ]
  return fact.reverses === null ? transfers : reversed(transfers, { dispute: 'dispute_reversed' })
}
