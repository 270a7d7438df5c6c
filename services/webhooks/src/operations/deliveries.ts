import { implement, reply, type Implementation } from '@causeway/chassis'
import { deliveries, type Delivery } from '@causeway/contracts'
import type { DeliveryRow } from '../store/deliveries.ts'
import { createDeliveryLog } from './delivery-log.ts'
import type { Parts } from './parts.ts'

const present = (row: DeliveryRow): Delivery => ({
  delivery_id: row.id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.state,
  attempts: row.attempts ?? [],
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** The log of a partner destination, in the operator API's words (decisions §14). */
export const deliveryOperations = (parts: Parts): Implementation[] => {
  const log = createDeliveryLog(parts, 'partner')
  return implement(deliveries, {
    async list({ params: { partnerId, webhookId }, query }) {
      const listed = await log.list(partnerId, webhookId, query)
      if (!listed.ok) return listed
      return reply({ deliveries: listed.value.rows.map(present), next_cursor: listed.value.nextCursor })
    },

    async redeliver({ params: { partnerId, webhookId, deliveryId }, now }) {
      const sent = await log.redeliver(partnerId, webhookId, deliveryId, now)
      return sent.ok ? reply({ delivery: present(sent.value) }) : sent
    },

    async redeliverSince({ params: { partnerId, webhookId }, body, now }) {
      const sent = await log.redeliverSince(partnerId, webhookId, body, now)
      if (!sent.ok) return sent
      return reply({ redelivered: sent.value.redelivered, next_cursor: sent.value.nextCursor })
    },
  })
}
