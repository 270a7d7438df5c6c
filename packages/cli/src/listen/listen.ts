import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError } from '@causeway/client'
import { isPartnerEvent } from '@causeway/webhook-verifier'
import type { Output } from '../output/output.ts'
import type { EventLog, LoggedEvent } from '../session/event-log.ts'
import { newAddress, pathOf } from './address.ts'
import { removeLeftBehind } from './left-behind.ts'
import { startReceiver, type Delivery } from './receiver.ts'
import type { Subscriber } from './subscriber.ts'

export type ListenOptions = Readonly<{
  port: number
  /** Where the platform reaches the port; null: where it listens. */
  publicUrl: string | null
  forwardTo: string | null
}>

/**
 * When what was missed is looked for, in milliseconds after the registration. An event that the platform was sending
 * meanwhile is in its log a moment later.
 */
const CATCH_UPS_MS = [0, 1_000, 4_000]
const OK = 200
const UNAUTHORIZED = 401

type Forwarded = Readonly<{ status: number; durationMs: number; error?: string }>

const FORWARD_TIMEOUT_MS = 30_000
/** Response to the platform when the local program does not respond. */
const BAD_GATEWAY = 502
const NOT_FORWARDED = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

/** Sends a delivery on as it came: same bytes, same signature. Its answer is what the platform is answered. */
const forward = async (url: string, { headers, body }: Delivery): Promise<Forwarded> => {
  const begunMs = performance.now()
  const sent = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !NOT_FORWARDED.has(entry[0]),
  )
  const init = { method: 'POST', headers: sent, body: new Uint8Array(body), redirect: 'manual' as const }
  const durationMs = () => Math.round(performance.now() - begunMs)
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS) })
    await answer.body?.cancel()
    return { status: answer.status, durationMs: durationMs() }
  } catch (error) {
    const { cause = error } = error as { cause?: unknown }
    return { status: BAD_GATEWAY, durationMs: durationMs(), error: String(cause) }
  }
}

const nameOf = ({ event }: Delivery): string => {
  if (event === null) return 'no event'
  return isPartnerEvent(event) ? event.event_type : event.event
}

/** Prints a delivery, and sends it on if its signature is right. @returns the status to answer */
const taker =
  (forwardTo: string | null, output: Output) =>
  async (delivery: Delivery): Promise<number> => {
    const { event, fault } = delivery
    const type = nameOf(delivery)
    const isVerified = fault === null
    const forwarded = isVerified && forwardTo !== null ? await forward(forwardTo, delivery) : null
    const line = `${isVerified ? 'verified' : `NOT VERIFIED (${fault})`} ${type} ${JSON.stringify(event)}`
    const { status, durationMs, error } = forwarded ?? {}
    const sent =
      forwarded === null
        ? ''
        : `\n  → ${String(forwardTo)} ${String(error ?? status)} (${String(durationMs)} ms)`
    output.line(line + sent, {
      verified: isVerified,
      fault,
      type,
      event,
      ...(forwarded !== null && { forwarded }),
    })
    return forwarded?.status ?? (isVerified ? OK : UNAUTHORIZED)
  }

/** Returns the events since a given one that did not reach the webhook, oldest first. */
const missedSince = async (
  log: EventLog,
  webhookId: string,
  mark: LoggedEvent | null,
): Promise<LoggedEvent[]> => {
  const missed: LoggedEvent[] = []
  for await (const event of log.missed(webhookId)) {
    if (mark !== null && event.created_at < mark.created_at) break
    if (event.event_id !== mark?.event_id) missed.push(event)
  }
  return missed.reverse()
}

/**
 * Has everything sent that came since an event and before the webhook was registered.
 * @param mark the newest event at the start; null where there was none
 * @returns how many
 */
const catchUp = async (log: EventLog, webhookId: string, mark: LoggedEvent | null): Promise<number> => {
  const missed = await missedSince(log, webhookId, mark)
  for (const { event_id: eventId } of missed)
    try {
      await log.resend(webhookId, eventId)
    } catch (error) {
      // It is under way already.
      if (!(error instanceof ConflictError)) throw error
    }
  return missed.length
}

/** Catches up until the run ends. @throws when the platform refuses */
const catchUpInTime = async (
  run: () => Promise<number>,
  output: Output,
  signal: AbortSignal,
): Promise<void> => {
  for (const afterMs of CATCH_UPS_MS) {
    await sleep(afterMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const count = await run()
    if (count > 0) output.note(`Sent again: ${count} that came before the registration.`)
  }
}

/**
 * Registers a webhook, prints what is delivered to it, and removes it when the signal is aborted.
 * @throws when the platform refuses, or the webhook could not be removed
 */
export const listen = async (
  subscriber: Subscriber,
  { port, publicUrl, forwardTo }: ListenOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> => {
  const { log } = subscriber
  const receiver = await startReceiver(port, taker(forwardTo, output))
  try {
    const [mark, removed] = await Promise.all([log.newest(), removeLeftBehind(subscriber)])
    const path = pathOf(newAddress(receiver.port, subscriber.keyId))
    const url = `${publicUrl ?? `http://127.0.0.1:${receiver.port}`}${path}`
    const { webhookId, secret } = await subscriber.register(url)
    try {
      receiver.open(path, secret)
      const readyMs = Math.round(performance.now())
      output.line(
        `Listening for the events of ${log.whose} at ${url}, ready after ${readyMs} ms. Ctrl-C ends it.`,
        {
          listening: { whose: log.whose, url, webhook_id: webhookId, ready_ms: readyMs },
        },
      )
      if (removed > 0) output.note(`Removed ${removed} that a crashed run had left registered.`)
      if (forwardTo !== null) output.note(`Forwarding to ${forwardTo}. Its webhook secret: ${secret}`)
      const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort')
      await Promise.all([ended, catchUpInTime(() => catchUp(log, webhookId, mark), output, signal)])
    } finally {
      await subscriber.remove(webhookId)
    }
  } finally {
    if (subscriber.keyId !== null) await subscriber.giveBack(subscriber.keyId)
    await receiver.stop()
  }
}
