import type { DomainEvent } from '@causeway/contracts'
import { KEPT_DATABASES, type ReadRows } from './databases.ts'

/** An event that a service emitted, as far as it is compared. */
export type EmittedEvent = Pick<DomainEvent, 'id' | 'name' | 'partners' | 'merchant'>

/** Every event of every service. Outboxes keep what is published for days. */
export const readEmitted = async (read: ReadRows): Promise<readonly EmittedEvent[]> => {
  const rows = await Promise.all(
    KEPT_DATABASES.map((database) =>
      read<{ payload: string }>(database, 'SELECT payload FROM outbox_events ORDER BY seq'),
    ),
  )
  return rows.flat().map(({ payload }) => JSON.parse(payload) as DomainEvent)
}

/** Whom an event goes to. */
export const ownersOf = ({ partners, merchant }: EmittedEvent): string[] => [
  ...partners.map(({ partner_id: id }) => id),
  ...(merchant ? [merchant.merchant_id] : []),
]
