import type {
  Delivery,
  DeliveryStatus,
  ErrorCode,
  ErrorDetail,
  EventStatus,
  LoggedEvent,
  Operation,
  Redelivery,
  RedeliveryRequest,
  WebhookStatus,
} from '@causeway/contracts'
import type { Reply } from '../screen.ts'

/** A partner's destination or a merchant's webhook. */
export type Webhook = Readonly<{
  id: string
  url: string
  /** Types that it takes; null where its owner does not choose any. */
  eventTypes: readonly string[] | null
  /** The checkout whose events it takes; null takes those of all. */
  integrationId: string | null
  createdAt: string
  /** End of the overlap of a rotation; null outside of one. */
  formerSecretUntil: string | null
  /** Since when nothing is sent to it; null where it is active. */
  disabledAt: string | null
}>

/** What a form says of a webhook. */
export type WebhookInput = Readonly<{ url: string; eventTypes: readonly string[]; integrationId: string }>

/** A webhook with its new secret, which nobody can read again. */
export type SecretMade = Readonly<{ id: string; secret: string; formerSecretUntil: string | null }>

export type Tested = Readonly<{ eventId: string | null }>

/** @template S states that the list knows */
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
export type Refused = Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>
export type Result<T> = Readonly<{ ok: true; value: T }> | Refused
export type EventWithPayload = LoggedEvent & Readonly<{ payload: Readonly<Record<string, unknown>> }>

/** What the people of a partner or a merchant do with its webhooks: the same words over two families of operations. */
export type WebhookClient = Readonly<{
  /** Types that a webhook may choose; null where it takes what its checkout has. */
  choosableTypes: readonly string[] | null
  list: (cursor: string | null) => Promise<Result<Page<Webhook>>>
  create: (input: WebhookInput) => Promise<Result<SecretMade>>
  update: (id: string, input: WebhookInput) => Promise<Result<null>>
  remove: (id: string) => Promise<Result<null>>
  setStatus: (id: string, status: WebhookStatus) => Promise<Result<null>>
  /** The former secret signs no more. */
  endOverlap: (id: string) => Promise<Result<null>>
  rotateSecret: (id: string, overlapHours: number | null) => Promise<Result<SecretMade>>
  test: (id: string) => Promise<Result<Tested>>
  events: (query: LogQuery) => Promise<Result<Page<LoggedEvent>>>
  event: (eventId: string) => Promise<Result<EventWithPayload>>
  deliveries: (id: string, query: LogQuery<DeliveryStatus>) => Promise<Result<Page<Delivery>>>
  resend: (id: string, eventId: string) => Promise<Result<null>>
  redeliveries: (id: string) => Promise<Result<readonly Redelivery[]>>
  redeliver: (id: string, request: RedeliveryRequest) => Promise<Result<null>>
  cancelRedelivery: (id: string, redeliveryId: string) => Promise<Result<null>>
}>

/** An operation's reply in the words of the portal. */
export const mapped = async <O extends Operation, T>(
  reply: Promise<Reply<O>>,
  toValue: (value: Extract<Reply<O>, { ok: true }>['value']) => T,
): Promise<Result<T>> => {
  const answered = await reply
  return answered.ok ? { ok: true, value: toValue(answered.value) } : answered
}

export const nothing = (): null => null

/** Most pages of a list in which one webhook is looked for: a merchant has at most 1,000. */
const MAX_PAGES = 20

/** One webhook of a list, or null: an integration's own URL is in no list, and has a log all the same. */
export const findWebhook = async (client: WebhookClient, id: string): Promise<Result<Webhook | null>> => {
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed: Result<Page<Webhook>> = await client.list(cursor)
    if (!listed.ok) return listed
    const found = listed.value.items.find((webhook) => webhook.id === id)
    cursor = listed.value.next
    if (found !== undefined || cursor === null) return { ok: true, value: found ?? null }
  }
  return { ok: true, value: null }
}
