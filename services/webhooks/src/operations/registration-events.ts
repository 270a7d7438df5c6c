import { implement, reply, type Implementation } from '@causeway/chassis'
import { registrationEvents, type MerchantLoggedEvent } from '@causeway/contracts'
import type { LoggedEventRow } from '../store/events.ts'
import { createEventLog } from './event-log.ts'
import type { Parts } from './parts.ts'
import { presentDelivery } from './registration-deliveries.ts'

const present = (row: LoggedEventRow): MerchantLoggedEvent => ({
  eventId: row.event_id,
  eventType: row.type,
  integrationId: row.integration_id,
  createdAt: row.created_at.toISOString(),
  deliveries: (row.deliveries ?? []).map((delivery) => ({
    webhookId: delivery.destination_id,
    deliveryId: delivery.id,
    status: delivery.state,
    nextAttemptAt: delivery.next_attempt_at,
  })),
})

/** A merchant's events, apart from their deliveries, in the merchant API's words. */
export const registrationEventOperations = (parts: Parts): Implementation[] => {
  const log = createEventLog(parts, 'merchant')
  return implement(registrationEvents, {
    async list({ caller: { merchantId }, query }) {
      const listed = await log.list(merchantId, query)
      if (!listed.ok) return listed
      return reply({ events: listed.value.rows.map(present), nextCursor: listed.value.nextCursor })
    },

    async read({ caller: { merchantId }, params: { eventId } }) {
      const found = await log.read(merchantId, eventId)
      if (!found.ok) return found
      return reply({ event: { ...present(found.value.row), payload: found.value.payload } })
    },

    async listOf({ caller: { merchantId }, params: { webhookId }, query }) {
      const listed = await log.listOf(merchantId, webhookId, query)
      if (!listed.ok) return listed
      return reply({ events: listed.value.rows.map(present), nextCursor: listed.value.nextCursor })
    },

    async resend({ caller: { merchantId }, params: { webhookId, eventId } }) {
      const sent = await log.resend(merchantId, webhookId, eventId)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  })
}
