import { isForeignFact } from '../ledger/facts.ts'
import type { ServiceName } from '../services.ts'
import { EVENTS, type EventDeclaration } from './declarations.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'
import type { DomainEvent } from './event.ts'

/** The owner of every merchant event and fact: only that service may emit it (decisions §19). */
const owners = new Map<string, ServiceName>(
  Object.values<EventDeclaration>(EVENTS).flatMap(({ owner, merchant, fact }) => {
    const parts = [merchant && `merchant ${merchant}`, fact && `fact ${fact}`]
    return parts.flatMap((part) => (part ? [[part, owner] as const] : []))
  }),
)

/** The names of the events that a service emits. */
export const eventNamesOf = (service: ServiceName): EventName[] =>
  EVENT_NAMES.filter((name) => EVENTS[name].owner === service)

/** Subject of an event on the stream; each name has one. */
export const eventSubject = (name: EventName): string => `events.${EVENTS[name].owner}.${name}`

/**
 * The part of an event that another service owns: its name, a partner's or the merchant's type, or a fact.
 * @returns null when the service owns all of it
 */
export const foreignPartOf = (service: ServiceName, event: DomainEvent): string | null => {
  if (EVENTS[event.name].owner !== service) return event.name
  const partner = event.partners.find(({ type }) => EVENTS[type].owner !== service)
  if (partner) return partner.type
  const { merchant, fact } = event
  if (merchant && owners.get(`merchant ${merchant.event}`) !== service) return merchant.event
  if (merchant && merchant.body.event !== merchant.event) return merchant.body.event
  if (fact && owners.get(`fact ${fact.kind}`) !== service) return fact.kind
  const foreign = event.ledger_facts?.find(({ kind }) => isForeignFact(service, kind))
  return foreign === undefined ? null : String(foreign['kind'])
}
