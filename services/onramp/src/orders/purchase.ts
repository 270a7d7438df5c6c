import { Asset, Network, OnrampStatus, type OnrampOrder } from '@causeway/contracts'
import type { OpenedOrder, ProviderOrder } from '@causeway/rails'
import { z } from 'zod'
import { STAGE, TREATMENT } from './statuses.ts'

/** An onramp order as this service keeps it. */
export const Purchase = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  orderId: z.string(),
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
  invoiceExpiresAt: z.date(),
  createdAt: z.date(),
  updatedAt: z.date(),
  extendAt: z.date(),
  capAt: z.date(),
  extendedAt: z.date().nullable(),
  /** What payments has still to be asked. */
  pendingAction: z.enum(['release', 'cancel', 'expire']).nullable(),
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

/** An order that has been silent for long is asked about ever more rarely: after an eighth of its silence. */
const SILENCE_SHARE = 8

export const pollAtOf = (purchase: Pick<Purchase, 'updatedAt'>, now: Date, pollAfterMs: number): Date => {
  const silentMs = now.getTime() - purchase.updatedAt.getTime()
  return new Date(now.getTime() + Math.max(pollAfterMs, silentMs / SILENCE_SHARE))
}

/** What the provider told of a purchase when it was opened. */
export const open = (purchase: Purchase, told: OpenedOrder): OpenedPurchase => ({
  ...purchase,
  providerOrderId: told.providerOrderId,
  checkoutUrl: told.checkoutUrl,
  orderStatusUrl: told.orderStatusUrl,
  orderType: told.orderType,
  fiatAmount: told.fiatAmount ?? purchase.fiatAmount,
  dueAt: purchase.extendAt,
})

/**
 * Whether a state was taken on after the one that is known. Providers date by the second, or unreadably: then the
 * further one is the newer.
 */
const isNewer = (before: OpenedPurchase, told: ProviderOrder): boolean => {
  const aheadMs = told.changedAt === null ? 0 : told.changedAt.getTime() - before.changedAt.getTime()
  return aheadMs > 0 || (aheadMs === 0 && STAGE[told.status] > STAGE[before.status])
}

export type Advance = Readonly<{ purchase: OpenedPurchase; isChanged: boolean }>

/**
 * What a state of the provider makes of a purchase, or null when nothing: a terminal one never changes again, an
 * older or repeated state is overtaken, and another order of the provider is not this one. `isChanged` tells whether
 * the status itself did.
 */
export const advance = (before: OpenedPurchase, told: ProviderOrder, now: Date): Advance | null => {
  if (told.providerOrderId !== before.providerOrderId) return null
  if (before.outcome !== null || !isNewer(before, told)) return null
  const treatment = TREATMENT[told.status]
  const purchase: OpenedPurchase = {
    ...before,
    status: told.status,
    changedAt: told.changedAt ?? before.changedAt,
    orderType: told.orderType ?? before.orderType,
    orderStatusUrl: told.orderStatusUrl ?? before.orderStatusUrl,
    transactionHash: told.transactionHash ?? before.transactionHash,
    updatedAt: now,
  }
  const isChanged = told.status !== before.status
  if (treatment === 'open') return { purchase, isChanged }
  const pendingAction = treatment === 'success' ? 'release' : 'cancel'
  return { purchase: { ...purchase, outcome: treatment, pendingAction, dueAt: now, pollAt: null }, isChanged }
}

/**
 * Whether a provider goes on with an order that had ended without success, as Banxa does when a payment comes after
 * the expiry. It stays ended here, but coins may come.
 */
export const isRevived = (ended: OpenedPurchase, told: ProviderOrder): boolean =>
  ended.outcome === 'failure' &&
  told.providerOrderId === ended.providerOrderId &&
  TREATMENT[told.status] !== 'failure' &&
  (told.changedAt === null || told.changedAt > ended.changedAt)
