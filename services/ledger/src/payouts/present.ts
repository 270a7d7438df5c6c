import {
  merchantSummaryOf,
  type AnnouncedPayout,
  type CustomerPayout,
  type ListedPayout,
  type MerchantPayout,
  type MerchantsPayout,
  type PartnerPayout,
  type Payout,
  type PayoutSchedule,
  type PayoutSummary,
} from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import type { PayoutRow } from './announced-store.ts'

/** A payout to a merchant. */
export type MerchantPayoutRow = PayoutRow & Readonly<{ merchantId: string }>

export const isToMerchant = (row: PayoutRow): row is MerchantPayoutRow => row.merchantId !== null

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** The fields of a payout's amount: `amount` of an asset, else `currency` and `amount_cents`. */
const presentOwnAmount = ({
  unit,
  amount,
}: PayoutRow): Pick<Payout, 'currency' | 'amount_cents' | 'amount'> => {
  const shown = presentAmount(unit, amount)
  return typeof shown === 'string' ? { amount: shown } : { currency: unit, amount_cents: shown }
}

/** The same as merchants read it. */
export const presentAmountToMerchant = (
  row: PayoutRow,
): Readonly<{ amount: string } | { amountCents: number }> => {
  const shown = presentAmount(row.unit, row.amount)
  return typeof shown === 'string' ? { amount: shown } : { amountCents: shown }
}

const presentTerms = (row: PayoutRow) => ({
  unit: row.unit,
  ...presentOwnAmount(row),
  status: row.status,
  destination: row.destination,
  schedule: row.schedule,
  scheduled_for: row.scheduledFor.toISOString(),
  created_at: row.createdAt.toISOString(),
  sent_at: textOf(row.sentAt),
  settled_at: textOf(row.settledAt),
  returned_at: textOf(row.returnedAt),
  return_reason: row.returnReason,
  reference: row.reference,
  tx_id: row.txId,
})

/** A payout to a merchant as staff announce it. @throws Error for a payout to a partner */
export const presentAnnounced = (row: PayoutRow): AnnouncedPayout => {
  if (!isToMerchant(row)) throw new Error(`${row.payoutId} is not paid to a merchant`)
  return {
    payout_id: row.payoutId,
    customer_id: row.merchantId,
    partner_customer_id: row.ownerId,
    ...presentTerms(row),
  }
}

/** A payout as staff list it. */
export const presentPayout = (row: PayoutRow): Payout =>
  isToMerchant(row)
    ? presentAnnounced(row)
    : {
        payout_id: row.payoutId,
        ...{ customer_id: null, partner_customer_id: null, partner_id: row.ownerId },
        ...presentTerms(row),
      }

/** The fields of a payout that staff need to have it sent. */
export const presentSending = ({
  address,
  transferStatus: status,
  transferProblem: problem,
}: PayoutRow): Pick<ListedPayout, 'address' | 'transfer'> => ({
  address,
  transfer: status && { status, problem },
})

/** A payout to a customer as its partner reads it. @throws Error for a payout to a partner */
export const presentCustomerPayout = (row: PayoutRow, summary: PayoutSummary): CustomerPayout => ({
  ...presentAnnounced(row),
  summary,
})

/** A payout to a partner as the partner reads it. */
export const presentPartnerPayout = (row: PayoutRow, summary: PayoutSummary): PartnerPayout => ({
  payout_id: row.payoutId,
  partner_id: row.ownerId,
  ...presentTerms(row),
  summary,
})

/** A payout as the merchant's events have it. */
export const presentInEvent = (row: PayoutRow, summary: PayoutSummary): MerchantPayout => ({
  payoutId: row.payoutId,
  partnerCustomerId: row.ownerId,
  unit: row.unit,
  ...presentAmountToMerchant(row),
  status: row.status,
  destination: row.destination,
  settledAt: textOf(row.settledAt),
  returnedAt: textOf(row.returnedAt),
  returnReason: row.returnReason,
  reference: row.reference,
  txId: row.txId,
  summary: merchantSummaryOf(summary),
})

const presentScheduleToMerchant = ({ unit, interval, weekday, day, ...rest }: PayoutSchedule) => ({
  ...{ unit, interval, weekday, day },
  minimumAmount: rest.minimum_amount,
  payoutWalletId: rest.payout_wallet_id,
})

/** A payout as its merchant reads it. */
export const presentToMerchant = (row: PayoutRow, summary: PayoutSummary): MerchantsPayout => ({
  ...presentInEvent(row, summary),
  ...(!row.unit.includes('/') && { currency: row.unit }),
  schedule: row.schedule && presentScheduleToMerchant(row.schedule),
  scheduledFor: row.scheduledFor.toISOString(),
  createdAt: row.createdAt.toISOString(),
  sentAt: textOf(row.sentAt),
})
