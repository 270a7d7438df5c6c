import { setImmediate as turn } from 'node:timers/promises'
import { refusedReplySubject, senderOfInbox } from '@causeway/contracts'
import type { NatsConnection } from '@nats-io/transport-node'
import { metrics } from '../metrics.ts'
import type { Sender } from './sender.ts'

/** Pace of the PINGs that ask the server how far it has come, while there are replies. */
const PING_MS = 200

const resent = metrics.counter(
  'causeway_bus_replies_resent_total',
  'Replies that NATS refused, because it had reloaded its users, and that were sent again',
)

/** Sends replies, and again those that NATS refuses. */
export type SentReplies = Readonly<{
  send: (subject: string, payload: string) => void
  /** Sends a refused reply on the subject that needs no request. @returns false if no such reply was sent just now */
  resend: (subject: string) => boolean
}>

/**
 * NATS lets a service reply to the requests that it has delivered to it (`allow_responses`), and forgets them when it
 * reloads its users: it refuses the replies to all requests that are in flight. Replies are kept until the server has
 * accepted them, which its next PONG shows, because it answers in order.
 */
export const createSentReplies = (
  connection: Pick<NatsConnection, 'flush' | 'isClosed'>,
  sender: Sender,
  service: string,
): SentReplies => {
  let unaccepted = new Map<string, string>()
  /** Those that were sent before the last PING. */
  let before = new Map<string, string>()
  let timer: NodeJS.Timeout | null = null

  const ping = async () => {
    before = unaccepted
    unaccepted = new Map()
    sender.flush()
    // Where the connection ends, its replies end with it: NATS delivered their requests there.
    if (!connection.isClosed()) await connection.flush().catch(() => undefined)
    // A refusal that came with the PONG is read in this turn of the event loop.
    await turn()
    before = new Map()
    timer = unaccepted.size > 0 ? pingLater() : null
  }
  const pingLater = () => setTimeout(() => void ping(), PING_MS).unref()

  return {
    send(subject, payload) {
      sender.send(subject, payload)
      unaccepted.set(subject, payload)
      timer ??= pingLater()
    },
    resend(subject) {
      const payload = unaccepted.get(subject) ?? before.get(subject)
      const caller = senderOfInbox(subject)
      if (payload === undefined || caller === null) return false
      resent.inc()
      sender.send(refusedReplySubject(caller, service), `${subject}\n${payload}`)
      return true
    },
  }
}

const LINE_FEED = 10

/** Reads a reply that was sent again: the reply subject of its request, and the reply. */
export const readRefusedReply = (data: Uint8Array): { subject: string; reply: Uint8Array } => {
  const end = data.indexOf(LINE_FEED)
  return { subject: new TextDecoder().decode(data.subarray(0, end)), reply: data.subarray(end + 1) }
}
