import type { DomainEvent } from '@causeway/contracts'
import type { Channel, Destination } from '../../destinations/destination.ts'
import { partnerEnvelope } from './envelope.ts'

/** One owner's copy of an event, with the body that all its destinations get. */
export type Notice = Readonly<{
  channel: Channel
  ownerId: string
  eventId: string
  type: string
  integrationId: string | null
  body: string
  /** Whether the body came sealed: it is written down sealed too. */
  isSealed: boolean
  createdMs: number
}>

/** Whom an event is for. A partner that it names twice is told once: the event is one event to it. */
export const noticesOf = (event: DomainEvent): Notice[] => {
  const createdMs = Date.parse(event.created_at)
  const notices = new Map<string, Notice>()
  for (const partner of event.partners) {
    if (notices.has(partner.partner_id)) continue
    notices.set(partner.partner_id, {
      channel: 'partner',
      ownerId: partner.partner_id,
      eventId: event.id,
      type: partner.type,
      integrationId: null,
      body: partnerEnvelope(event, partner),
      isSealed: false,
      createdMs,
    })
  }
  const { merchant } = event
  if (merchant)
    notices.set(merchant.merchant_id, {
      channel: 'merchant',
      ownerId: merchant.merchant_id,
      eventId: event.id,
      type: merchant.event,
      integrationId: merchant.integration_id,
      body: JSON.stringify(merchant.body),
      isSealed: merchant.sealed_body !== undefined,
      createdMs,
    })
  return [...notices.values()]
}

/**
 * Whether a destination of the notice's owner takes it: partners choose types; of a merchant's registrations those
 * of the originating integration and the wildcards (spec: Merchant channel).
 */
export const takes = (destination: Destination, notice: Notice): boolean =>
  (destination.eventTypes === null || destination.eventTypes.has(notice.type)) &&
  (destination.integrationId === null || destination.integrationId === notice.integrationId)
