import { DomainEvent, EVENT_DATA, PartnerEvent, type EventData } from '@causeway/contracts'
import { testEventSeals } from './keys.ts'

const seals = testEventSeals('webhooks')

/** The seals of webhooks, which alone can open a sealed body. */
const opened = (event: DomainEvent): DomainEvent => {
  const sealed = event.merchant?.sealed_body
  if (!event.merchant || sealed === undefined) return event
  const body = JSON.parse(seals.open('payments', event.id, sealed)) as { event: never }
  return { ...event, merchant: { ...event.merchant, body } }
}

/**
 * An event from a service's outbox, with its sealed body opened.
 * @throws unless every body that receivers will get has exactly the shape that the contracts declare for its name
 */
export const emittedEvent = (payload: string): DomainEvent => {
  const event = opened(DomainEvent.parse(JSON.parse(payload)))
  for (const { partner_id, type, data } of event.partners)
    PartnerEvent.parse({
      event_id: event.id,
      event_type: type,
      created_at: event.created_at,
      partner_id,
      data,
    })
  const { merchant }: EventData = EVENT_DATA[event.name]
  if (event.merchant && !merchant) throw new Error(`${event.name} goes to no merchant`)
  if (event.merchant) merchant?.body.parse(event.merchant.body)
  return event
}
