import { inboxPrefix, mayCall, SENDERS, type Operation, type SenderName } from '@causeway/contracts'
import type { Msg } from '@nats-io/transport-node'
import type { Clock } from '../clock.ts'
import type { BusKeys } from './keys.ts'
import { createSealOpener } from './seal.ts'
import { createSeenNonces } from './seen-nonces.ts'
import { RequestMessage } from './wire.ts'

/** Why a message on a request subject is dropped without an answer (decisions §19). */
export type DropReason =
  | 'no_reply'
  | 'reply_subject'
  | 'seal'
  | 'deadline'
  | 'deadline_too_far'
  | 'replayed'
  | 'memory_full'
  | 'not_allowed'
  | 'malformed'
  | 'caller'

/** Longest time that a request may be valid; its nonce is remembered as long. */
const MAX_AHEAD_MS = 5 * 60_000

const isSender = (name: string): name is SenderName => (SENDERS as readonly string[]).includes(name)
const decoder = new TextDecoder()

const parse = (json: Uint8Array): RequestMessage | null => {
  try {
    const parsed = RequestMessage.safeParse(JSON.parse(decoder.decode(json)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Checks whether the sender may act for the caller in the body: a service for itself, access for staff, the gateway for all others. */
const speaksFor = (sender: SenderName, { caller }: RequestMessage): boolean => {
  if (caller.kind === 'service') return caller.service === sender
  return sender === 'gateway' || (sender === 'access' && caller.kind === 'operator')
}

/**
 * Admits a message as a request when a sender that may call the operation has sealed it, its reply subject is in that
 * sender's own inbox, its deadline is not over, and its nonce is new. Never throws, whatever the bytes.
 */
export const createAdmission = (keys: BusKeys, clock: Clock) => {
  const nonces = createSeenNonces()
  const openSeal = createSealOpener(keys)
  return (
    operation: Operation,
    message: Pick<Msg, 'data' | 'reply'>,
  ): { request: RequestMessage; deadlineMs: number } | DropReason => {
    const { reply, data } = message
    if (reply === undefined || reply === '') return 'no_reply'
    const opened = openSeal(operation.subject, data)
    if (opened === null || !isSender(opened.sender)) return reply.startsWith('$') ? 'reply_subject' : 'seal'
    const { sender, deadlineMs, nonce, json } = opened
    // On any other subject the answer would reach somebody who did not ask.
    if (!reply.startsWith(`${inboxPrefix(sender)}.`)) return 'reply_subject'
    if (!mayCall(sender, operation)) return 'not_allowed'
    const nowMs = clock.outsideMs()
    if (deadlineMs < nowMs) return 'deadline'
    if (deadlineMs > nowMs + MAX_AHEAD_MS) return 'deadline_too_far'
    const remembered = nonces.add(nonce, deadlineMs, nowMs)
    if (remembered !== 'new') return remembered === 'seen' ? 'replayed' : 'memory_full'
    const request = parse(json)
    if (request === null) return 'malformed'
    return speaksFor(sender, request) ? { request, deadlineMs } : 'caller'
  }
}
