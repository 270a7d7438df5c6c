import { DomainEvent, eventSubject, foreignPartOf, SERVICES } from '@causeway/contracts'
import type { Received } from './consume-options.ts'

/** Parses an event; the error says why the text is invalid. */
export const readEvent = (
  text: string,
  { subject, traceparent }: Pick<Received, 'subject' | 'traceparent'>,
): Received | Error => {
  try {
    const parsed = DomainEvent.safeParse(JSON.parse(text))
    if (!parsed.success)
      return new Error(`Not an event: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`)
    return { event: parsed.data, subject, traceparent }
  } catch {
    return new Error('Not JSON')
  }
}

/** Checks whether the service that owns an event published it, under the subject of its name. */
export const isOwned = ({ event, subject }: Received): boolean =>
  subject === eventSubject(event.name) &&
  SERVICES.some(
    (service) => subject.startsWith(`events.${service}.`) && foreignPartOf(service, event) === null,
  )
