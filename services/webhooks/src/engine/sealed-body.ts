import type { EventSeals, Received, Vault } from '@causeway/chassis'
import { MerchantNotice, SERVICES } from '@causeway/contracts'
import type { EventCopy } from './fast-path/fan-out.ts'
import type { EventEntry } from './record/record-store.ts'

/** Returns the context of a sealed body: it only opens with its event. */
export const bodyContext = (eventId: string): string => `event-body:${eventId}`

/**
 * An event with the body that its sender has sealed for this service (ADR 0044). `sealed_body` stays, so that
 * the body is sealed again before it is stored.
 * @throws when it cannot be opened, or holds no body
 */
export const openBody = (seals: EventSeals, received: Received): Received => {
  const { event, subject } = received
  const { merchant } = event
  const sender = SERVICES.find((service) => subject.startsWith(`events.${service}.`))
  if (!merchant || merchant.sealed_body === undefined || sender === undefined) return received
  const text = seals.open(sender, event.id, merchant.sealed_body)
  const body = MerchantNotice.shape.body.parse(JSON.parse(text))
  return { ...received, event: { ...event, merchant: { ...merchant, body } } }
}

/** Converts an event for storage: a body that arrived sealed is sealed with this service's key. */
export const sealAtRest = (vault: Vault, copy: EventCopy): EventEntry => {
  if (!copy.isSealed) return copy
  const sealed = vault.seal(copy.body, bodyContext(copy.eventId))
  return { ...copy, body: JSON.stringify({ event: copy.type }), bodySealed: sealed }
}

/** The body that is sent, of a row. @throws when no key of this service has sealed it */
export const bodyOf = (
  vault: Vault,
  row: Readonly<{ eventId: string; body: string; bodySealed: string | null }>,
): string =>
  row.bodySealed === null ? row.body : vault.open(row.bodySealed, bodyContext(row.eventId)).toString('utf8')
