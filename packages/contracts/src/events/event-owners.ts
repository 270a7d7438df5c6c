import type { DomainEvent } from './event.ts'
import { EVENT_DATA, type EventData } from './event-data.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'
import { isForeignFact } from '../ledger/facts.ts'
import type { ServiceName } from '../services.ts'

/** The owner of every merchant event and fact: only that service may emit it (decisions §19). */
const owners = new Map<string, ServiceName>(
  (Object.keys(EVENT_DATA) as EventName[]).flatMap((name) => {
    const data: EventData = EVENT_DATA[name]
    const parts = [data.merchant && `merchant ${data.merchant.event}`, data.fact && `fact ${data.fact}`]
    return parts.flatMap((part) => (part ? [[part, EVENT_NAMES[name]] as const] : []))
  }),
)

/** The names of the events that a service emits. */
export const eventNamesOf = (service: ServiceName): EventName[] =>
  (Object.keys(EVENT_NAMES) as EventName[]).filter((name) => EVENT_NAMES[name] === service)

/** Subject of an event on the stream; each name has one. */
export const eventSubject = (name: EventName): string => `events.${EVENT_NAMES[name]}.${name}`

/**
 * The part of an event that another service owns: its name, a partner's or the merchant's type, or a fact.
 * @returns null when the service owns all of it
 */
export const foreignPartOf = (service: ServiceName, event: DomainEvent): string | null => {
  if (EVENT_NAMES[event.name] !== service) return event.name
  const partner = event.partners.find(({ type }) => EVENT_NAMES[type] !== service)
  if (partner) return partner.type
  const { merchant, fact } = event
  if (merchant && owners.get(`merchant ${merchant.event}`) !== service) return merchant.event
  if (merchant && merchant.body.event !== merchant.event) return merchant.body.event
  if (fact && owners.get(`fact ${fact.kind}`) !== service) return fact.kind
  const foreign = event.ledger_facts?.find(({ kind }) => isForeignFact(service, kind))
  return foreign === undefined ? null : String(foreign['kind'])
}
