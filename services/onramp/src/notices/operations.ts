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
import { RailError, type OnrampNotice, type OnrampProvider, type ProviderOrder } from '@causeway/rails'
import { isRevived } from '../orders/purchase.ts'
import { findPurchaseOfProvider, postponePoll } from '../orders/store.ts'
import type { StatusUpdates } from '../orders/apply-provider-status.ts'

const refused = metrics.counter(
  'causeway_onramp_notices_refused_total',
  'Notices of onramp providers that were not believed',
  ['reason'],
)
const revived = metrics.counter(
  'causeway_onramp_orders_revived_total',
  'Onramp orders that their provider went on with after their end: coins may come',
)

type Parts = Readonly<{ db: Db; provider: OnrampProvider; statusUpdates: StatusUpdates }>
type Moment = Readonly<{ now: Date; log: Logger }>

/** False for a post that was received before: its provider is not asked for it again. */
const isFirst = async ({ db, provider }: Parts, { postId }: OnrampNotice, now: Date): Promise<boolean> =>
  postId === null || (await claimNew(db, `notices-${provider.key}`, [postId], now)).size === 1

/**
 * The order that a notice is about. Null when the provider does not answer: the poller asks it next, so that the
 * notice need not come again.
 */
const orderOf = async (
  { db, provider }: Parts,
  { providerOrderId, order }: OnrampNotice,
  { now, log }: Moment,
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
    log.warn({ error, provider: provider.key, providerOrderId }, 'An order could not be read for its notice')
    return null
  }
}

const take = async (parts: Parts, notice: OnrampNotice, moment: Moment): Promise<void> => {
  const { db, provider, statusUpdates } = parts
  if (!(await isFirst(parts, notice, moment.now))) return
  const told = await orderOf(parts, notice, moment)
  const purchase = told && (await findPurchaseOfProvider(db, { provider: provider.key, ...told }))
  if (!told || !purchase) return
  const learned = await statusUpdates.apply(purchase, told)
  if (!learned || !isRevived(learned, told)) return
  revived.inc()
  moment.log.warn(
    { onrampOrderId: learned.id, orderId: learned.orderId, ended: learned.status, status: told.status },
    'An onramp order goes on after its end: coins may come for a cancelled invoice',
  )
}

/** `onramp.notices` (decisions §13): only what is signed, fresh and newer than what is known has an effect. */
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
      const verdict = provider.verifyNotice(body.headers, bytes, new Date(clock.outsideMs()))
      if (!verdict.ok) {
        refused.inc({ reason: verdict.reason })
        log.warn(
          { event: 'callback.refused', provider: provider.key, reason: verdict.reason },
          'A notice was refused',
        )
        return refuse(verdict.reason === 'malformed' ? 'invalid_request' : 'unauthorized')
      }
      if (verdict.notice !== null) await take({ ...options, provider }, verdict.notice, { now, log })
      return reply({ received: true as const })
    },
  })
