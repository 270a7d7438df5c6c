import { isForeignFact } from '../ledger/facts.ts'
import type { ServiceName } from '../services.ts'
import { EVENTS, type EventDeclaration } from './declarations.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'
import type { DomainEvent } from './event.ts'

const declarationOf = (name: EventName): EventDeclaration => EVENTS[name]

/** The services that may emit an event: its owner, and the one that emitted it in the release before. */
export const emittersOf = (name: EventName): ServiceName[] => {
  const { owner, formerly } = declarationOf(name)
  return formerly === undefined ? [owner] : [owner, formerly]
}

/** The emitters of every merchant event and fact: only they may emit it (decisions §19). */
const emitters = new Map<string, readonly ServiceName[]>(
  EVENT_NAMES.flatMap((name) => {
    const { merchant, fact } = declarationOf(name)
    const parts = [merchant && `merchant ${merchant}`, fact && `fact ${fact}`]
    return parts.flatMap((part) => (part ? [[part, emittersOf(name)] as const] : []))
  }),
)

/** Subject under which a service emits an event. */
export const emittedSubject = (service: ServiceName, name: EventName): string => `events.${service}.${name}`

/** Subject of an event on the stream; each name has one. */
export const eventSubject = (name: EventName): string => emittedSubject(EVENTS[name].owner, name)

/** The subjects under which a service may emit events, those of the release before included. */
export const eventSubjectsOf = (service: ServiceName): string[] =>
  EVENT_NAMES.filter((name) => emittersOf(name).includes(service)).map((name) =>
    emittedSubject(service, name),
  )

/**
 * The part of an event that another service emits: its name, a partner's or the merchant's type, or a fact.
 * @returns null when the service may emit all of it
 */
export const foreignPartOf = (service: ServiceName, event: DomainEvent): string | null => {
  if (!emittersOf(event.name).includes(service)) return event.name
  const partner = event.partners.find(({ type }) => !emittersOf(type).includes(service))
  if (partner) return partner.type
  const { merchant, fact } = event
  const isForeign = (part: string) => emitters.get(part)?.includes(service) !== true
  if (merchant && isForeign(`merchant ${merchant.event}`)) return merchant.event
  if (merchant && merchant.body.event !== merchant.event) return merchant.body.event
  if (fact && isForeign(`fact ${fact.kind}`)) return fact.kind
  const foreign = event.ledger_facts?.find(({ kind }) => isForeignFact(service, kind))
  return foreign === undefined ? null : String(foreign['kind'])
}

/** True if a service that may emit the event published it, under its subject. */
export const isFromEmitter = (subject: string, event: DomainEvent): boolean =>
  emittersOf(event.name).some(
    (service) => subject === emittedSubject(service, event.name) && foreignPartOf(service, event) === null,
  )
