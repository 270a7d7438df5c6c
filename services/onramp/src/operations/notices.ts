import {
  implement,
  metrics,
  refuse,
  reply,
  type Clock,
  type Db,
  type Implementation,
} from '@causeway/chassis'
import { onrampNotices } from '@causeway/contracts'
import type { OnrampProvider } from '@causeway/rails'
import { findToldPurchase } from '../store/purchases.ts'
import type { Learning } from './learning.ts'

const refused = metrics.counter(
  'causeway_onramp_notices_refused_total',
  'Notices of onramp providers that were not believed',
  ['reason'],
)

/** `onramp.notices` (decisions §13): only what is signed, fresh and newer than what is known has an effect. */
export const noticeOperations = (options: {
  db: Db
  clock: Clock
  provider: OnrampProvider | null
  learning: Learning
}): Implementation[] =>
  implement(onrampNotices, {
    async receive({ params, body, log }) {
      const { db, clock, provider, learning } = options
      if (provider?.key !== params.provider) return refuse('resource_not_found')
      const bytes = Buffer.from(body.raw_body_base64, 'base64')
      const verdict = provider.verifyNotice(body.headers, bytes, new Date(clock.outsideMs()))
      if (!verdict.ok) {
        refused.inc({ reason: verdict.reason })
        log.warn({ provider: provider.key, reason: verdict.reason }, 'A notice was not believed')
        return refuse(verdict.reason === 'malformed' ? 'invalid_request' : 'unauthorized')
      }
      if (verdict.notice === null) return reply({ received: true as const })
      const { providerOrderId } = verdict.notice
      const told = verdict.notice.order ?? (await provider.readOrder(providerOrderId))
      const purchase = await findToldPurchase(db, provider.key, told)
      if (purchase) await learning.learn(purchase, told)
      return reply({ received: true as const })
    },
  })
