import type { EventSeals } from '@causeway/chassis'
import type { DomainEvent } from '@causeway/contracts'

/**
 * An event whose body for the merchant names the payer's address: the body is sealed whole, for webhooks alone, so
 * that the address lies in clear neither in the outbox nor on the stream (ADR 0044).
 */
export const withSealedBody = (seals: EventSeals, event: DomainEvent): DomainEvent => {
  const { merchant } = event
  if (!merchant) return event
  const sealed = seals.seal('webhooks', event.id, JSON.stringify(merchant.body))
  return { ...event, merchant: { ...merchant, body: { event: merchant.event }, sealed_body: sealed } }
}
