import {
  implement,
  metrics,
  NotDoneError,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { cardNotices } from '@causeway/contracts'
import { RailError, type CardProcessors, type NoticeRefusal } from '@causeway/rails'
import { isOpen } from '../fiat-orders/domain.ts'
import * as store from './store.ts'
import { findByProcessorOrder } from '../fiat-orders/store.ts'
import type { FiatSettlement } from '../card-settlement/settlement.ts'
import { isBlocked } from '../chargeback-cases/blocking.ts'
import { openPayer } from '../payers/sealed-payers.ts'

type Options = Readonly<{ processors: CardProcessors; settlement: Pick<FiatSettlement, 'applyPayment'> }>

const refused = metrics.counter(
  'causeway_card_notices_refused_total',
  'Notices of card processors that were not acted upon',
  ['processor', 'reason'],
)

const refuseNotice = (reason: NoticeRefusal) =>
  reason === 'malformed' ? refuse('invalid_request') : refuse('unauthorized')

/** Nothing was done: the processor tells again later, be it that it is away or that it disowns a payment of ours. */
const notDone = (error: unknown): never => {
  if (error instanceof RailError) throw new NotDoneError('The processor cannot be read', { cause: error })
  throw error
}

/**
 * `payments.card-notices`: notices say only where to look. What has happened is read from the processor, so that a
 * forged, repeated or overtaken notice changes nothing (decisions §10). A notice that was acted upon is acknowledged when
 * it comes again, so that its sender stops, and is not acted upon. So is one of a payment that no order has: its processor
 * has other customers, and one that comes before its order is bound to it is made up for by the poller.
 */
export const cardNoticeOperations = (
  { db, vault, clock }: Pick<ServiceContext, 'db' | 'vault' | 'clock'>,
  { processors, settlement }: Options,
): Implementation[] =>
  implement(cardNotices, {
    async receive({ params, body, log }) {
      const processor = processors.get(params.processor)
      if (!processor) return refuse('resource_not_found')
      const bytes = Buffer.from(body.raw_body_base64, 'base64')
      const verdict = await processor
        .verifyNotice(body.headers, bytes, new Date(clock.outsideMs()))
        .catch(notDone)
      if (!verdict.ok) {
        refused.inc({ processor: params.processor, reason: verdict.reason })
        log.warn(
          { event: 'callback.refused', processor: params.processor, reason: verdict.reason },
          'A notice was refused',
        )
        return refuseNotice(verdict.reason)
      }
      if (verdict.notice === null) return reply({ received: true as const })
      const { processorOrderId, noticeId } = verdict.notice
      const named = { processor: params.processor, noticeId }
      const taken = await store.getTaken(db, named)
      if (taken) {
        refused.inc({ processor: params.processor, reason: 'replayed' })
        log.warn({ event: 'callback.refused', ...named, reason: 'replayed' }, 'A notice was refused')
        return reply({ received: true as const })
      }
      const order = await findByProcessorOrder(db, { processor: params.processor, processorOrderId })
      const settled = order
        ? await settlement.applyPayment(
            params.processor,
            await processor.readPayment(processorOrderId).catch(notDone),
          )
        : null
      if (settled === null) log.warn(named, 'A notice is of no order that is known')
      else await store.insertTaken(db, { ...named, takenAt: new Date(clock.outsideMs()) })
      return reply({ received: true as const })
    },

    async authorize({ params, body, log }) {
      const processor = processors.get(params.processor)
      if (!processor) return refuse('resource_not_found')
      const bytes = Buffer.from(body.raw_body_base64, 'base64')
      const verdict = processor.verifyAuthorization(body.headers, bytes, new Date(clock.outsideMs()))
      if (!verdict.ok) {
        log.warn(
          { event: 'callback.refused', processor: params.processor, reason: verdict.reason },
          'A card authorisation request was refused',
        )
        return refuseNotice(verdict.reason)
      }
      const { processorOrderId, payerIp, payerEmail } = verdict.question
      const order = await findByProcessorOrder(db, { processor: params.processor, processorOrderId })
      if (!order || !isOpen(order) || order.status !== 'pending') return reply({ allowed: false })
      const named = openPayer(vault, order.id, order.payerSealed)
      const payers = [named, { ip: payerIp, email: payerEmail }]
      const blocked = await Promise.all(payers.map((payer) => isBlocked({ db, vault }, order, payer)))
      return reply({ allowed: !blocked.includes(true) })
    },
  })
