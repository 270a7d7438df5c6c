import { newId, refuse, type Clock, type Db, type Logger } from '@causeway/chassis'
import type { CryptoOrderTerms } from '@causeway/contracts'
import type { OnrampProvider } from '@causeway/rails/onramps'
import type { OnrampHolds } from '../clients/payments.ts'
import type { StatusUpdates } from './apply-provider-status.ts'
import { createProviderOrder } from './create-provider-order.ts'
import { isOpened, type Purchase } from './purchase.ts'
import { findLivePurchase, insertPurchase } from './store.ts'

export type OrderOptions = Readonly<{
  db: Db
  clock: Clock
  holds: OnrampHolds
  /** Null where none is configured. */
  provider: OnrampProvider | null
  statusUpdates: StatusUpdates
  publicBaseUrl: string
  extendAfterMs: number
  hardCapMs: number
}>

/** How long a creation without an answer is left to its caller before the poller repeats it. */
const ABANDONED_AFTER_MS = 30_000

type Wanted = Readonly<{
  startedBy: Purchase['startedBy']
  fiat: string
  fiat_amount?: string | undefined
  return_url?: string | undefined
}>

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

const reservationOf = (
  options: OrderOptions,
  cryptoOrder: CryptoOrderTerms,
  wanted: Wanted,
  provider: string,
  now: Date,
): Purchase => ({
  id: newId('onrampOrder'),
  partnerId: cryptoOrder.partner_id,
  partnerCustomerId: cryptoOrder.partner_customer_id,
  merchantId: cryptoOrder.customer_id,
  orderId: cryptoOrder.order_id,
  startedBy: wanted.startedBy,
  provider,
  providerOrderId: null,
  status: 'pendingPayment',
  changedAt: new Date(0),
  outcome: null,
  fiat: wanted.fiat,
  fiatAmount: wanted.fiat_amount ?? (wanted.fiat === cryptoOrder.currency ? cryptoOrder.fiat_amount : null),
  crypto: cryptoOrder.asset,
  cryptoAmount: cryptoOrder.amount,
  blockchain: cryptoOrder.network,
  address: cryptoOrder.address,
  returnUrl: wanted.return_url ?? null,
  checkoutUrl: null,
  orderStatusUrl: null,
  orderType: null,
  transactionHash: null,
  cryptoOrderExpiresAt: new Date(cryptoOrder.expires_at),
  createdAt: now,
  updatedAt: now,
  extendAt: later(now, options.extendAfterMs),
  capAt: later(now, options.hardCapMs),
  extendedAt: null,
  pendingAction: null,
  abandonedAt: null,
  dueAt: later(now, options.hardCapMs),
  pollAt: later(now, ABANDONED_AFTER_MS),
})

/**
 * Opens a purchase of what a crypto order is due, or gives the one that is open already: an order has one live purchase
 * at a time (decisions §13).
 */
export const createPurchase = async (
  options: OrderOptions & Readonly<{ log: Logger }>,
  cryptoOrder: CryptoOrderTerms,
  wanted: Wanted,
  now: Date,
) => {
  const { db, provider } = options
  const order = { partnerId: cryptoOrder.partner_id, orderId: cryptoOrder.order_id }
  if (cryptoOrder.status !== 'pending') return refuse('invalid_state', [{ from: cryptoOrder.status }])
  const live = await findLivePurchase(db, order)
  if (live && isOpened(live)) return { ok: true as const, opened: live, isNew: false }
  if (!provider) return refuse('temporarily_unavailable')
  const reservation = live ?? reservationOf(options, cryptoOrder, wanted, provider.key, now)
  const isOwn = live === null && (await insertPurchase(db, reservation)) !== null
  const purchase = live !== null || isOwn ? reservation : await findLivePurchase(db, order)
  // Another call held the slot and has freed it between these two statements.
  if (purchase === null) return refuse('temporarily_unavailable')
  const outcome = await createProviderOrder({ ...options, provider }, purchase, isOwn)
  return outcome.ok ? { ...outcome, isNew: isOwn } : outcome
}
