import { Asset, Network, OnrampStatus, type OnrampOrder } from '@causeway/contracts'
import type { OpenedOrder, ProviderOrder } from '@causeway/rails/onramps'
import { z } from 'zod'
import { STAGE, TREATMENT } from './statuses.ts'

/** An onramp order as it is stored. "Purchase" tells it from the crypto order that it pays and the provider's order. */
export const Purchase = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  orderId: z.string(),
  /** Its partner by the API, or the order's buyer on the public payment page: anybody who knows its address. */
  startedBy: z.enum(['partner', 'buyer']),
  provider: z.string(),
  /** Null until the provider has answered its creation. */
  providerOrderId: z.string().nullable(),
  status: OnrampStatus,
  /** The provider's time of its status. */
  changedAt: z.date(),
  outcome: z.enum(['success', 'failure']).nullable(),
  fiat: z.string(),
  fiatAmount: z.string().nullable(),
  crypto: Asset,
  cryptoAmount: z.string(),
  blockchain: Network,
  address: z.string(),
  returnUrl: z.string().nullable(),
  checkoutUrl: z.string().nullable(),
  orderStatusUrl: z.string().nullable(),
  orderType: z.string().nullable(),
  transactionHash: z.string().nullable(),
  cryptoOrderExpiresAt: z.date(),
  createdAt: z.date(),
  updatedAt: z.date(),
  extendAt: z.date(),
  capAt: z.date(),
  extendedAt: z.date().nullable(),
  /** Action at payments that is still pending. */
  pendingAction: z.enum(['release', 'cancel', 'expire']).nullable(),
  /** When it was given up without an order at its provider; it is deleted once its crypto order is released for good. */
  abandonedAt: z.date().nullable(),
  dueAt: z.date().nullable(),
  pollAt: z.date().nullable(),
})
export type Purchase = Readonly<z.infer<typeof Purchase>>

/** A purchase whose provider has answered. */
export type OpenedPurchase = Purchase & Readonly<{ providerOrderId: string; checkoutUrl: string }>

export const isOpened = (purchase: Purchase): purchase is OpenedPurchase =>
  purchase.providerOrderId !== null && purchase.checkoutUrl !== null

/** The order as its partner sees it (decisions §13). */
export const presentPurchase = (purchase: OpenedPurchase): OnrampOrder => ({
  id: purchase.id,
  orderId: purchase.orderId,
  providerOrderId: purchase.providerOrderId,
  status: purchase.status,
  checkoutUrl: purchase.checkoutUrl,
  fiat: purchase.fiat,
  fiatAmount: purchase.fiatAmount,
  crypto: purchase.crypto,
  cryptoAmount: purchase.cryptoAmount,
  blockchain: purchase.blockchain,
  createdAt: purchase.createdAt.toISOString(),
  expiresAt: purchase.capAt.toISOString(),
})

/** Polls back off: the next one comes after an eighth of the time without a change. */
const BACKOFF_SHARE = 8

export const pollAtOf = (purchase: Pick<Purchase, 'updatedAt'>, now: Date, pollAfterMs: number): Date => {
  const unchangedMs = now.getTime() - purchase.updatedAt.getTime()
  return new Date(now.getTime() + Math.max(pollAfterMs, unchangedMs / BACKOFF_SHARE))
}

/** A buyer's purchase for which the provider has received no money yet. It keeps its order from nothing. */
export const isUnpaidOfBuyer = ({ startedBy, status }: Pick<Purchase, 'startedBy' | 'status'>): boolean =>
  startedBy === 'buyer' && STAGE[status] < STAGE.paymentReceived

/** When an unpaid purchase of a buyer lets its crypto order go: when that would have expired without it. */
export const letGoAtOf = ({
  cryptoOrderExpiresAt,
  capAt,
}: Pick<Purchase, 'cryptoOrderExpiresAt' | 'capAt'>): Date =>
  cryptoOrderExpiresAt < capAt ? cryptoOrderExpiresAt : capAt

const firstDueAt = (purchase: Purchase): Date =>
  isUnpaidOfBuyer(purchase) ? letGoAtOf(purchase) : purchase.extendAt

/** The purchase once its provider has answered its creation. */
export const open = (purchase: Purchase, created: OpenedOrder): OpenedPurchase => ({
  ...purchase,
  providerOrderId: created.providerOrderId,
  checkoutUrl: created.checkoutUrl,
  orderStatusUrl: created.orderStatusUrl,
  orderType: created.orderType,
  fiatAmount: created.fiatAmount ?? purchase.fiatAmount,
  dueAt: firstDueAt(purchase),
})

/**
 * Checks whether a reported status is newer than the stored one. Providers' times have a resolution of a second or are
 * invalid: then the status of the later stage is newer.
 */
const isNewer = (before: OpenedPurchase, reported: ProviderOrder): boolean => {
  const aheadMs = reported.changedAt === null ? 0 : reported.changedAt.getTime() - before.changedAt.getTime()
  return aheadMs > 0 || (aheadMs === 0 && STAGE[reported.status] > STAGE[before.status])
}

export type Advance = Readonly<{ purchase: OpenedPurchase; isChanged: boolean }>

/**
 * The purchase after a report of its provider, or null when nothing changes: the purchase has ended, the report is old
 * or repeated, or it is about another order of the provider. `isChanged`: whether the status itself changed.
 */
export const advance = (before: OpenedPurchase, reported: ProviderOrder, now: Date): Advance | null => {
  if (reported.providerOrderId !== before.providerOrderId) return null
  if (before.outcome !== null || !isNewer(before, reported)) return null
  const treatment = TREATMENT[reported.status]
  const purchase: OpenedPurchase = {
    ...before,
    status: reported.status,
    changedAt: reported.changedAt ?? before.changedAt,
    orderType: reported.orderType ?? before.orderType,
    orderStatusUrl: reported.orderStatusUrl ?? before.orderStatusUrl,
    transactionHash: reported.transactionHash ?? before.transactionHash,
    updatedAt: now,
  }
  const isChanged = reported.status !== before.status
  if (treatment === 'open') {
    const isPaidNow = isUnpaidOfBuyer(before) && !isUnpaidOfBuyer(purchase) && before.extendedAt === null
    return { purchase: isPaidNow ? { ...purchase, dueAt: firstDueAt(purchase) } : purchase, isChanged }
  }
  const pendingAction = treatment === 'success' || before.startedBy === 'buyer' ? 'release' : 'cancel'
  return { purchase: { ...purchase, outcome: treatment, pendingAction, dueAt: now, pollAt: null }, isChanged }
}

/**
 * Checks whether a provider continues an order that had ended without success, as Banxa does when a payment arrives after the
 * expiry. It stays ended here, but coins may arrive.
 */
export const isRevived = (ended: OpenedPurchase, reported: ProviderOrder): boolean =>
  ended.outcome === 'failure' &&
  reported.providerOrderId === ended.providerOrderId &&
  TREATMENT[reported.status] !== 'failure' &&
  (reported.changedAt === null || reported.changedAt > ended.changedAt)
