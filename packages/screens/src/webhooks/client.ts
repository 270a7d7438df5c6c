import type {
  Delivery,
  DeliveryStatus,
  EventStatus,
  LoggedEvent,
  Operation,
  Redelivery,
  RedeliveryRequest,
  WebhookStatus,
} from '@causeway/contracts'
import type { Refused } from '../replies.ts'
import type { Reply } from '../screen.ts'

/** A partner's destination or a merchant's webhook. */
export type Webhook = Readonly<{
  id: string
  url: string
  /** Subscribed event types, empty for all that need not be chosen; null if its owner cannot choose them. */
  eventTypes: readonly string[] | null
  /** Checkout whose events it receives; null for all checkouts. */
  integrationId: string | null
  createdAt: string
  /** End of the overlap of a rotation; null outside of one. */
  formerSecretUntil: string | null
  /** Time at which it was disabled; null if it is active. */
  disabledAt: string | null
}>

/** The fields of the webhook form. */
export type WebhookInput = Readonly<{ url: string; eventTypes: readonly string[]; integrationId: string }>

/** A webhook with its new secret, which cannot be read again. */
export type SecretMade = Readonly<{ id: string; secret: string; formerSecretUntil: string | null }>

export type Tested = Readonly<{ eventId: string | null }>

/** @template S states that the list can filter by */
export type LogQuery<S extends EventStatus = EventStatus> = Readonly<{
  cursor?: string
  limit?: string
  status?: S
  event_type?: string
  event_id?: string
  since?: string
  until?: string
}>

export type Page<T> = Readonly<{ items: readonly T[]; next: string | null }>
export type { Refused }
export type Result<T> = Readonly<{ ok: true; value: T }> | Refused
export type EventWithPayload = LoggedEvent & Readonly<{ payload: Readonly<Record<string, unknown>> }>

/** Operations on the event log of an owner and on the deliveries to its webhooks. */
export type LogClient = Readonly<{
  /** Event types that the log can contain. */
  types: readonly string[]
  /** Finds a webhook; null if the reader cannot manage it, although it can have a log. */
  find: (id: string) => Promise<Result<Webhook | null>>
  events: (query: LogQuery) => Promise<Result<Page<LoggedEvent>>>
  event: (eventId: string) => Promise<Result<EventWithPayload>>
  /** Lists the events that a webhook received or would have received. */
  eventsOf: (id: string, query: LogQuery) => Promise<Result<Page<LoggedEvent>>>
  deliveries: (id: string, query: LogQuery<DeliveryStatus>) => Promise<Result<Page<Delivery>>>
  resend: (id: string, eventId: string) => Promise<Result<null>>
  redeliveries: (id: string) => Promise<Result<readonly Redelivery[]>>
  redelivery: (id: string, redeliveryId: string) => Promise<Result<Redelivery>>
  redeliver: (id: string, request: RedeliveryRequest) => Promise<Result<null>>
  cancelRedelivery: (id: string, redeliveryId: string) => Promise<Result<null>>
}>

/** Operations on webhooks: one interface over the partner's and the merchant's operations. */
export type WebhookClient = LogClient &
  Readonly<{
    /** Event types to choose from; null if webhooks receive all events of their checkout. */
    choosableTypes: readonly string[] | null
    /** Event types that webhooks receive only if they are chosen. */
    optInTypes: readonly string[]
    list: (cursor: string | null) => Promise<Result<Page<Webhook>>>
    create: (input: WebhookInput) => Promise<Result<SecretMade>>
    update: (id: string, input: WebhookInput) => Promise<Result<null>>
    remove: (id: string) => Promise<Result<null>>
    setStatus: (id: string, status: WebhookStatus) => Promise<Result<null>>
    /** Revokes the former secret. */
    endOverlap: (id: string) => Promise<Result<null>>
    rotateSecret: (id: string, overlapHours: number | null) => Promise<Result<SecretMade>>
    test: (id: string) => Promise<Result<Tested>>
  }>

/** Converts an operation's reply to the types of the screens. */
export const mapped = async <O extends Operation, T>(
  reply: Promise<Reply<O>>,
  toValue: (value: Extract<Reply<O>, { ok: true }>['value']) => T,
): Promise<Result<T>> => {
  const answered = await reply
  return answered.ok ? { ok: true, value: toValue(answered.value) } : answered
}

export const nothing = (): null => null

/** Maximum pages to search for a webhook: a merchant has at most 1,000. */
const MAX_PAGES = 20

/** Finds a webhook in a list, because no operation reads one. An integration's own URL is not in the list. */
export const findInList = async (
  list: WebhookClient['list'],
  id: string,
): Promise<Result<Webhook | null>> => {
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed: Result<Page<Webhook>> = await list(cursor)
    if (!listed.ok) return listed
    const found = listed.value.items.find((webhook) => webhook.id === id)
    cursor = listed.value.next
    if (found !== undefined || cursor === null) return { ok: true, value: found ?? null }
  }
  return { ok: true, value: null }
}
