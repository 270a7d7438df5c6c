import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '../log.ts'

/** Headers of a message: W3C trace context, and the id by which the stream recognises a duplicate event. */
export type Carried = Readonly<{ traceparent?: string | null; eventId?: string }>

type Outgoing = Readonly<{ subject: string; payload: string; reply: string | undefined; carried: Carried }>

/** Sends messages on core NATS: those of one turn of the event loop in one write. */
export type Sender = Readonly<{
  /** @throws when the payload is larger than the server accepts */
  send(subject: string, payload: string, options?: Carried & { reply?: string }): void
  /** Writes the queued messages to the connection now. */
  flush(): void
}>

/** Header by which the stream recognises a message that it has stored already. */
const EVENT_ID_HEADER = 'Nats-Msg-Id'

const headersOf = ({ traceparent, eventId }: Carried): { headers?: MsgHdrs } => {
  if (!traceparent && eventId === undefined) return {}
  const carried = headers()
  if (traceparent) carried.set('traceparent', traceparent)
  if (eventId !== undefined) carried.set(EVENT_ID_HEADER, eventId)
  return { headers: carried }
}

const MAX_BYTES_A_CHARACTER = 3

/**
 * A socket write is the most expensive part of a small request. Messages of one turn of the event loop are therefore
 * queued until its end and written together; the server and its readers handle them together too.
 */
export const createSender = (
  connection: Pick<NatsConnection, 'publish' | 'isClosed' | 'info'>,
  log: Pick<Logger, 'error'>,
): Sender => {
  let waiting: Outgoing[] = []
  const flush = () => {
    const messages = waiting
    waiting = []
    if (connection.isClosed()) return
    for (const { subject, payload, reply, carried } of messages)
      try {
        connection.publish(subject, payload, {
          ...(reply === undefined ? {} : { reply }),
          ...headersOf(carried),
        })
      } catch (error) {
        // Nobody awaits this turn of the event loop: rethrown, it would end the process and lose the other messages.
        log.error({ event: 'bus.send_failed', error, subject }, 'A message could not be sent')
      }
  }
  const isTooLarge = (payload: string): boolean => {
    const limit = connection.info?.max_payload ?? Infinity
    return payload.length * MAX_BYTES_A_CHARACTER > limit && Buffer.byteLength(payload) > limit
  }
  return {
    send(subject, payload, options = {}) {
      if (isTooLarge(payload)) throw new Error(`A message to ${subject} is larger than the bus allows`)
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ subject, payload, reply: options.reply, carried: options })
    },
    flush,
  }
}
