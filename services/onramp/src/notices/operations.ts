import {
  claimNew,
  implement,
  metrics,
  refuse,
  reply,
  type Clock,
  type Db,
  type Implementation,
  type Logger,
} from '@causeway/chassis'
import { onrampNotices } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { OnrampNotice, OnrampProvider, ProviderOrder } from '@causeway/rails/onramps'
import { isRevived } from '../orders/purchase.ts'
import { findPurchaseOfProvider, postponePoll } from '../orders/store.ts'
import type { StatusUpdates } from '../orders/apply-provider-status.ts'

const refused = metrics.counter(
  'causeway_onramp_notices_refused_total',
  'Notices of onramp providers that were refused',
  ['reason'],
)
const revived = metrics.counter(
  'causeway_onramp_orders_revived_total',
  'Onramp orders that their provider continued after their end: coins may arrive',
)

type Dependencies = Readonly<{ db: Db; provider: OnrampProvider; statusUpdates: StatusUpdates }>
type Receipt = Readonly<{ now: Date; log: Logger }>

/** False for a post that was received before: its order is not read again. */
const isFirst = async (
  { db, provider }: Dependencies,
  { postId }: OnrampNotice,
  now: Date,
): Promise<boolean> =>
  postId === null || (await claimNew(db, `notices-${provider.key}`, [postId], now)).size === 1

/**
 * The order that a notice is about. Null when the provider does not answer: the poller reads the order next, so that
 * the notice need not be repeated.
 */
const orderOf = async (
  { db, provider }: Dependencies,
  { providerOrderId, order }: OnrampNotice,
  { now, log }: Receipt,
): Promise<ProviderOrder | null> => {
  if (order !== null) return order
  try {
    return await provider.readOrder(providerOrderId)
  } catch (error) {
    if (!(error instanceof RailError)) throw error
    const purchase = await findPurchaseOfProvider(db, {
      provider: provider.key,
      providerOrderId,
      onrampOrderId: null,
    })
    if (purchase) await postponePoll(db, { ...purchase, pollAt: now })
    log.warn(
      { event: 'onramp.notice_order_unread', error, provider: provider.key, providerOrderId },
      'Order of an onramp notice could not be read; the poller retries',
    )
    return null
  }
}

const apply = async (dependencies: Dependencies, notice: OnrampNotice, receipt: Receipt): Promise<void> => {
  const { db, provider, statusUpdates } = dependencies
  if (!(await isFirst(dependencies, notice, receipt.now))) return
  const reported = await orderOf(dependencies, notice, receipt)
  const purchase = reported && (await findPurchaseOfProvider(db, { provider: provider.key, ...reported }))
  if (!reported || !purchase) return
  const updated = await statusUpdates.apply(purchase, reported)
  if (!updated || !isRevived(updated, reported)) return
  revived.inc()
  receipt.log.warn(
    {
      event: 'onramp.order_revived',
      onrampOrderId: updated.id,
      orderId: updated.orderId,
      ended: updated.status,
      status: reported.status,
    },
    'Onramp provider continues an order after its end; coins may arrive for a cancelled crypto order',
  )
}

/** `onramp.notices` (decisions §13): a notice has an effect if it is signed, fresh and newer than what is stored. */
export const noticeOperations = (options: {
  db: Db
  clock: Clock
  provider: OnrampProvider | null
  statusUpdates: StatusUpdates
}): Implementation[] =>
  implement(onrampNotices, {
    async receive({ params, body, now, log }) {
      const { clock, provider } = options
      if (provider?.key !== params.provider) return refuse('resource_not_found')
      const bytes = Buffer.from(body.raw_body_base64, 'base64')
      const verification = provider.verifyNotice(body.headers, bytes, new Date(clock.outsideMs()))
      if (!verification.ok) {
        refused.inc({ reason: verification.reason })
        log.warn(
          { event: 'callback.refused', provider: provider.key, reason: verification.reason },
          'Onramp notice refused',
        )
        return refuse(verification.reason === 'malformed' ? 'invalid_request' : 'unauthorized')
      }
      if (verification.notice !== null)
        await apply({ ...options, provider }, verification.notice, { now, log })
      return reply({ received: true as const })
    },
  })
