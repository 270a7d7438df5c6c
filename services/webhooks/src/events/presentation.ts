import type { DeliveryStatus, EventStatus, LoggedEvent, Redelivery } from '@causeway/contracts'
import type { LoggedEventRow } from './store.ts'
import type { RedeliveryRow } from '../redeliveries/store.ts'

export const presentEvent = (row: LoggedEventRow): LoggedEvent => ({
  event_id: row.event_id,
  event_type: row.type,
  integration_id: row.integration_id,
  created_at: row.created_at.toISOString(),
  deliveries: (row.deliveries ?? []).map((delivery) => ({
    webhook_id: delivery.destination_id,
    delivery_id: delivery.id,
    status: delivery.state,
    next_attempt_at: delivery.next_attempt_at,
  })),
})

export const presentRedelivery = (row: RedeliveryRow): Redelivery => ({
  redelivery_id: row.id,
  webhook_id: row.destination_id,
  status: row.status,
  event_status: row.event_status,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  per_second: row.per_second,
  sent: row.sent,
  reached: row.reached_at.toISOString(),
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

type Filter<S> = Readonly<{
  limit: number
  cursor: string | null
  since?: string | undefined
  until?: string | undefined
  status?: S | undefined
  event_type?: string | undefined
}>
export type DeliveryQuery = Filter<DeliveryStatus>
export type EventQuery = Filter<EventStatus>

export const toFilter = <S>({ event_type: eventType, ...query }: Filter<S>) => ({ ...query, eventType })
