import { DomainEvent, MerchantEventBody, PartnerEvent } from '@causeway/contracts'

/**
 * An event as a service has put it into its outbox.
 * @throws unless every body that receivers will get of it has the very shape that the contracts declare
 */
export const emittedEvent = (payload: string): DomainEvent => {
  const event = DomainEvent.parse(JSON.parse(payload))
  for (const { partner_id, type, data } of event.partners)
    PartnerEvent.parse({
      event_id: event.id,
      event_type: type,
      created_at: event.created_at,
      partner_id,
      data,
    })
  if (event.merchant !== null) MerchantEventBody.parse(event.merchant.body)
  return event
}
