import { DomainEvent } from '@causeway/contracts'
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
