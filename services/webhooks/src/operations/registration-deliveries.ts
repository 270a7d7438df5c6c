import { implement, reply, type Implementation } from '@causeway/chassis'
import { registrationDeliveries, type MerchantDelivery } from '@causeway/contracts'
import type { DeliveryRow } from '../store/deliveries.ts'
import { createDeliveryLog } from './delivery-log.ts'
import type { Parts } from './parts.ts'

/** A delivery in the merchant API's words. */
export const presentDelivery = (row: DeliveryRow): MerchantDelivery => ({
  deliveryId: row.id,
  eventId: row.event_id,
  eventType: row.event_type,
  status: row.state,
  attempts: (row.attempts ?? []).map((attempt) => ({
    at: attempt.at,
    statusCode: attempt.status_code,
    latencyMs: attempt.latency_ms,
    error: attempt.error,
    responseBody: attempt.response_body,
  })),
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

/** The log of a merchant's webhook, in the merchant API's words (decisions §12). */
export const registrationDeliveryOperations = (parts: Parts): Implementation[] => {
  const log = createDeliveryLog(parts, 'merchant')
  return implement(registrationDeliveries, {
    async list({ caller: { merchantId }, params: { webhookId }, query }) {
      const listed = await log.list(merchantId, webhookId, query)
      if (!listed.ok) return listed
      return reply({
        deliveries: listed.value.rows.map(presentDelivery),
        nextCursor: listed.value.nextCursor,
      })
    },

    async redeliver({ caller: { merchantId }, params: { webhookId, deliveryId }, now }) {
      const sent = await log.redeliver(merchantId, webhookId, deliveryId, now)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  })
}
