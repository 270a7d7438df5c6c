import { afterCallOutside, NotDoneError, refuse, type Clock, type Db, type Logger } from '@causeway/chassis'
import { RailError } from '@causeway/rails'
import { effectOf } from '@causeway/rails/cards'
import { onrampNoticeUrl, type OnrampProvider, type OnrampRequest } from '@causeway/rails/onramps'
import type { OnrampHolds } from '../clients/payments.ts'
import type { OpenedPurchase, Purchase } from './purchase.ts'
import { abandonPurchase } from './abandon-purchase.ts'
import type { StatusUpdates } from './apply-provider-status.ts'

/** The request to the provider: the same for one purchase each time, so that a repetition makes no second order. */
const requestOf = (purchase: Purchase, publicBaseUrl: string): OnrampRequest => ({
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

type Dependencies = Readonly<{
  db: Db
  clock: Clock
  holds: OnrampHolds
  provider: OnrampProvider
  statusUpdates: StatusUpdates
  publicBaseUrl: string
  log: Logger
}>

/** A 5xx of the provider is answered as `provider_error`, although it may have created the order. */
const refusalOf = (error: unknown) => {
  if (!(error instanceof RailError)) throw error
  const effect = effectOf(error)
  if (effect === 'not_sent') return refuse('temporarily_unavailable')
  return refuse(effect === 'refused' || error.failure === 'unavailable' ? 'provider_error' : 'internal_error')
}

/**
 * Holds the crypto order of a reserved purchase and creates the provider's order. A purchase that provably was not
 * created there frees its slot, if this very call has reserved it; any other stays reserved, for the next call or the
 * poller to create.
 */
export const createProviderOrder = async (dependencies: Dependencies, purchase: Purchase, isOwn: boolean) => {
  const { clock, holds, provider, statusUpdates, publicBaseUrl, log } = dependencies
  const freeSlot = async () => {
    if (isOwn) await abandonPurchase(dependencies, purchase, clock.now())
  }
  const held = await holds.create(purchase)
  if (!held.ok) {
    await freeSlot()
    if (held.code === 'invalid_state') return refuse('invalid_state', held.details)
    return refuse(held.code === 'resource_not_found' ? 'resource_not_found' : 'temporarily_unavailable')
  }
  try {
    const created = await provider.createOrder(requestOf(purchase, publicBaseUrl))
    const opened: OpenedPurchase | null = await afterCallOutside(() => statusUpdates.apply(purchase, created))
    if (opened === null) throw new NotDoneError('The purchase was abandoned in the meantime')
    return { ok: true as const, opened }
  } catch (error) {
    const refusal = refusalOf(error)
    log.warn(
      { event: 'onramp.order_not_created', error, onrampOrderId: purchase.id },
      'Onramp provider did not create an order',
    )
    if (effectOf(error) !== 'unknown') await freeSlot()
    return refusal
  }
}
