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
import { RailError } from '@causeway/rails'
import type { CardProcessors, NoticeRefusal } from '@causeway/rails/cards'
import type { CardSettlement } from '../card-settlement/settlement.ts'
import { isBlocked } from '../chargeback-cases/blocking.ts'
import { isOpen } from '../fiat-orders/domain.ts'
import { findByProcessorOrder } from '../fiat-orders/store.ts'
import { openPayer } from '../payers/sealed-payers.ts'
import * as store from './store.ts'

type Options = Readonly<{ processors: CardProcessors; settlement: Pick<CardSettlement, 'applyPayment'> }>

const refused = metrics.counter(
  'causeway_card_notices_refused_total',
  'Notices of card processors that were not applied',
  ['processor', 'reason'],
)

const refuseNotice = (reason: NoticeRefusal) =>
  reason === 'malformed' ? refuse('invalid_request') : refuse('unauthorized')

/**
 * Nothing was done, so the processor must send the notice again: it is unavailable, or does not know a payment of ours.
 */
const notDone = (error: unknown): never => {
  if (error instanceof RailError) throw new NotDoneError('The processor cannot be read', { cause: error })
  throw error
}

/**
 * `payments.card-notices`: a notice only names the payment to read. Its state is read from the processor, so that a
 * forged, repeated or overtaken notice changes nothing (decisions §10). A repeated notice is acknowledged, so that its
 * sender stops, without a new read. So is a notice of a payment that no order has: the processor has other customers,
 * and the poller covers a notice that arrives before its payment is bound to an order.
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
      const verification = await processor
        .verifyNotice(body.headers, bytes, new Date(clock.outsideMs()))
        .catch(notDone)
      if (!verification.ok) {
        refused.inc({ processor: params.processor, reason: verification.reason })
        log.warn(
          { event: 'callback.refused', processor: params.processor, reason: verification.reason },
          'Card notice refused',
        )
        return refuseNotice(verification.reason)
      }
      if (verification.notice === null) return reply({ received: true as const })
      const { processorOrderId, noticeId } = verification.notice
      const notice = { processor: params.processor, noticeId }
      if (await store.getTaken(db, notice)) {
        refused.inc({ processor: params.processor, reason: 'replayed' })
        log.warn({ event: 'callback.refused', ...notice, reason: 'replayed' }, 'Card notice refused')
        return reply({ received: true as const })
      }
      const order = await findByProcessorOrder(db, { processor: params.processor, processorOrderId })
      const settled =
        order &&
        (await settlement.applyPayment(
          params.processor,
          await processor.readPayment(processorOrderId).catch(notDone),
        ))
      if (settled) await store.insertTaken(db, { ...notice, takenAt: new Date(clock.outsideMs()) })
      else log.warn({ event: 'callback.unknown_order', ...notice }, 'A card notice names an unknown order')
      return reply({ received: true as const })
    },

    async authorize({ params, body, log }) {
      const processor = processors.get(params.processor)
      if (!processor) return refuse('resource_not_found')
      const bytes = Buffer.from(body.raw_body_base64, 'base64')
      const verification = processor.verifyAuthorization(body.headers, bytes, new Date(clock.outsideMs()))
      if (!verification.ok) {
        log.warn(
          { event: 'callback.refused', processor: params.processor, reason: verification.reason },
          'Card authorisation request refused',
        )
        return refuseNotice(verification.reason)
      }
      const { processorOrderId, payerIp, payerEmail } = verification.request
      const order = await findByProcessorOrder(db, { processor: params.processor, processorOrderId })
      if (!order || !isOpen(order) || order.status !== 'pending') return reply({ allowed: false })
      const known = openPayer(vault, order.id, order.payerSealed)
      const payers = [known, { ip: payerIp, email: payerEmail }]
      const blocked = await Promise.all(payers.map((payer) => isBlocked({ db, vault }, order, payer)))
      return reply({ allowed: !blocked.includes(true) })
    },
  })
