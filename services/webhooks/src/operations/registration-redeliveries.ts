import { implement, reply, type Implementation } from '@causeway/chassis'
import { registrationRedeliveries, type MerchantRedelivery } from '@causeway/contracts'
import type { RedeliveryRow } from '../store/redeliveries.ts'
import type { Parts } from './parts.ts'
import { createRedeliveryLog } from './redelivery-log.ts'

const present = (row: RedeliveryRow): MerchantRedelivery => ({
  redeliveryId: row.id,
  webhookId: row.destination_id,
  status: row.status,
  eventStatus: row.event_status,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  perSecond: row.per_second,
  sent: row.sent,
  reached: row.reached_at.toISOString(),
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})

/** Sending a merchant's events again in bulk, in the merchant API's words. */
export const registrationRedeliveryOperations = (parts: Parts): Implementation[] => {
  const log = createRedeliveryLog(parts, 'merchant')
  return implement(registrationRedeliveries, {
    async start({ caller: { merchantId }, params: { webhookId }, body, now }) {
      const started = await log.start(merchantId, webhookId, body, now)
      return started.ok ? reply({ redelivery: present(started.value) }) : started
    },

    async list({ caller: { merchantId }, params: { webhookId } }) {
      const listed = await log.list(merchantId, webhookId)
      return listed.ok ? reply({ redeliveries: listed.value.map(present) }) : listed
    },

    async read({ caller: { merchantId }, params: { webhookId, redeliveryId } }) {
      const found = await log.read(merchantId, webhookId, redeliveryId)
      return found.ok ? reply({ redelivery: present(found.value) }) : found
    },

    async cancel({ caller: { merchantId }, params: { webhookId, redeliveryId }, now }) {
      const ended = await log.cancel(merchantId, webhookId, redeliveryId, now)
      return ended.ok ? reply({ redelivery: present(ended.value) }) : ended
    },
  })
}
