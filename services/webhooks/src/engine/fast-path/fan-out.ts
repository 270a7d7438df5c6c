import type { Received } from '@causeway/chassis'
import {
  OPT_IN_EVENT_TYPES,
  relationshipOf,
  type DomainEvent,
  type MerchantNotice,
  type PartnerNotice,
  type RelationshipState,
} from '@causeway/contracts'
import type { Channel } from '../../destinations/domain.ts'
import type { Destination } from '../../sending/destination.ts'

/** One owner's copy of an event, with the body that all its destinations get. */
export type EventCopy = Readonly<{
  channel: Channel
  ownerId: string
  eventId: string
  type: string
  integrationId: string | null
  body: string
  /** True if the body arrived sealed: it is stored sealed too. */
  isSealed: boolean
  createdMs: number
  /** The trace that caused the event; null where none was recorded. */
  traceparent: string | null
  /** The relationship whose revocation stops it; null for merchants, and for the notice of a revocation itself. */
  partnerCustomerId: string | null
}>

/** The body of a partner delivery (spec: Partner channel): the same text for every attempt. */
const partnerEnvelope = (
  event: Readonly<{ id: string; created_at: string }>,
  notice: Pick<PartnerNotice, 'partner_id' | 'type' | 'data'>,
): string =>
  JSON.stringify({
    event_id: event.id,
    event_type: notice.type,
    created_at: event.created_at,
    partner_id: notice.partner_id,
    data: notice.data,
  })

/**
 * The body of a merchant delivery (decisions §40). A relay of the version before sends no sequence; then it is left out.
 */
const merchantBody = (
  { id: eventId, created_at: occurredAt, sequence }: DomainEvent,
  { body }: MerchantNotice,
): string => JSON.stringify({ ...body, eventId, occurredAt, sequence })

/** The copies of an event, one an owner: a partner that it names twice gets it once. */
export const copiesOf = (event: DomainEvent, traceparent: string | null = null): EventCopy[] => {
  const createdMs = Date.parse(event.created_at)
  const copies = new Map<string, EventCopy>()
  for (const partner of event.partners) {
    if (copies.has(partner.partner_id)) continue
    copies.set(partner.partner_id, {
      channel: 'partner',
      ownerId: partner.partner_id,
      eventId: event.id,
      type: partner.type,
      integrationId: null,
      body: partnerEnvelope(event, partner),
      isSealed: false,
      createdMs,
      traceparent,
      partnerCustomerId:
        partner.data['relationship_status'] === 'revoked' ? null : partner.partner_customer_id,
    })
  }
  const { merchant } = event
  if (merchant)
    copies.set(merchant.merchant_id, {
      channel: 'merchant',
      ownerId: merchant.merchant_id,
      eventId: event.id,
      type: merchant.event,
      integrationId: merchant.integration_id,
      body: merchantBody(event, merchant),
      isSealed: merchant.sealed_body !== undefined,
      createdMs,
      traceparent,
      partnerCustomerId: null,
    })
  return [...copies.values()]
}

/** All that is kept of an event from the stream. */
export type TakenEvent = Readonly<{
  id: string
  copies: readonly EventCopy[]
  /** The new state of a relationship, where the event tells one. */
  relationship: RelationshipState | null
}>

export const takenEvent = ({ event, traceparent }: Pick<Received, 'event' | 'traceparent'>): TakenEvent => ({
  id: event.id,
  copies: copiesOf(event, traceparent),
  relationship: relationshipOf(event),
})

const OPT_IN: ReadonlySet<string> = new Set(OPT_IN_EVENT_TYPES)

/**
 * Checks whether a destination of the copy's owner receives it: partners choose types, and must name some of them; a merchant's registrations receive it if
 * they are for the originating integration or for all (spec: Merchant channel).
 */
export const matches = (destination: Destination, copy: EventCopy): boolean =>
  (destination.eventTypes === null ? !OPT_IN.has(copy.type) : destination.eventTypes.has(copy.type)) &&
  (destination.integrationId === null || destination.integrationId === copy.integrationId)
