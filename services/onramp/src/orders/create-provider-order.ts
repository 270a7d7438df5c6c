import { NotDoneError, refuse, type Db, type Logger } from '@causeway/chassis'
import {
  effectOf,
  onrampNoticeUrl,
  RailError,
  type OnrampProvider,
  type OnrampRequest,
} from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import type { OpenedPurchase, Purchase } from './purchase.ts'
import { deleteUnanswered } from './store.ts'
import type { StatusUpdates } from './apply-provider-status.ts'

/** What the provider is asked: always the same for one purchase, so that asking again makes no second order. */
export const requestOf = (purchase: Purchase, publicBaseUrl: string): OnrampRequest => ({
  onrampOrderId: purchase.id,
  fiat: purchase.fiat,
  fiatAmount: purchase.fiatAmount,
  crypto: purchase.crypto,
  cryptoAmount: purchase.cryptoAmount,
  blockchain: purchase.blockchain,
  address: purchase.address,
  returnUrl: purchase.returnUrl,
  noticeUrl: onrampNoticeUrl(publicBaseUrl, purchase.provider),
})

type Parts = Readonly<{
  db: Db
  payments: Payments
  provider: OnrampProvider
  statusUpdates: StatusUpdates
  publicBaseUrl: string
  log: Logger
}>

/** A 5xx of the provider is told as such, although it may have done it. */
const refusalOf = (error: unknown) => {
  if (!(error instanceof RailError)) throw error
  const effect = effectOf(error)
  if (effect === 'not_sent') return refuse('temporarily_unavailable')
  return refuse(effect === 'refused' || error.failure === 'unavailable' ? 'provider_error' : 'internal_error')
}

/**
 * Opens a reserved purchase at the provider. One that provably was not opened gives its place back, if it was
 * reserved by this very call; any other stays reserved and is opened by the next call or by the poller.
 */
export const openPurchase = async (parts: Parts, purchase: Purchase, isOwn: boolean) => {
  const { db, payments, provider, statusUpdates } = parts
  const giveBack = async () => {
    if (isOwn && (await deleteUnanswered(db, purchase))) await payments.release(purchase)
  }
  const held = await payments.hold(purchase)
  if (!held.ok) {
    await giveBack()
    if (held.code === 'invalid_state') return refuse('invalid_state', held.details)
    return refuse(held.code === 'resource_not_found' ? 'resource_not_found' : 'temporarily_unavailable')
  }
  try {
    const told = await provider.createOrder(requestOf(purchase, parts.publicBaseUrl))
    const opened: OpenedPurchase | null = await statusUpdates.apply(purchase, told)
    if (opened === null) throw new NotDoneError('The purchase was given up meanwhile')
    return { ok: true as const, opened }
  } catch (error) {
    const refusal = refusalOf(error)
    parts.log.warn({ error, onrampOrderId: purchase.id }, 'An onramp provider opened no order')
    if (effectOf(error) !== 'unknown') await giveBack()
    return refusal
  }
}
