import { deliveries, events, redeliveries, registrations, type MerchantWebhook } from '@causeway/contracts'
import type { Ask } from '../screen.ts'
import { mapped, nothing, type Webhook, type WebhookClient, type WebhookInput } from './client.ts'

const webhookOf = (webhook: MerchantWebhook): Webhook => ({
  ...webhook,
  eventTypes: null,
  formerSecretUntil: webhook.formerSecretUntil ?? null,
  disabledAt: webhook.disabledAt ?? null,
})

const bodyOf = ({ url, integrationId }: WebhookInput) => ({
  url,
  integrationId: integrationId === '' ? null : integrationId,
})

type Made = Readonly<{ id: string; webhookSecret: string; formerSecretUntil?: string | undefined }>

const madeOf = ({ id, webhookSecret: secret, formerSecretUntil }: Made) => ({
  id,
  secret,
  formerSecretUntil: formerSecretUntil ?? null,
})

/** A merchant's webhooks, by the operations of the merchant API. */
export const merchantClient = (ask: Ask): WebhookClient => ({
  choosableTypes: null,
  list: (cursor) =>
    mapped(
      ask(registrations.list, { query: cursor === null ? {} : { cursor } }),
      ({ webhooks, next_cursor: next }) => ({ items: webhooks.map(webhookOf), next }),
    ),
  create: (input) => mapped(ask(registrations.create, { body: bodyOf(input) }), madeOf),
  update: (webhookId, input) =>
    mapped(ask(registrations.update, { params: { webhookId }, body: bodyOf(input) }), nothing),
  remove: (webhookId) => mapped(ask(registrations.delete, { params: { webhookId } }), nothing),
  setStatus: (webhookId, status) =>
    mapped(ask(registrations.update, { params: { webhookId }, body: { status } }), nothing),
  endOverlap: (webhookId) =>
    mapped(ask(registrations.update, { params: { webhookId }, body: { formerSecretUntil: null } }), nothing),
  rotateSecret: (webhookId, hours) =>
    mapped(
      ask(registrations.rotateSecret, {
        params: { webhookId },
        body: hours === null ? {} : { overlapHours: hours },
      }),
      madeOf,
    ),
  test: (webhookId) => mapped(ask(registrations.test, { params: { webhookId } }), () => ({ eventId: null })),
  events: (query) =>
    mapped(ask(events.listOwn, { query }), ({ events: items, next_cursor: next }) => ({ items, next })),
  event: (eventId) => mapped(ask(events.getOwn, { params: { eventId } }), ({ event }) => event),
  deliveries: (webhookId, query) =>
    mapped(
      ask(deliveries.listOwn, { params: { webhookId }, query }),
      ({ deliveries: items, next_cursor: next }) => ({ items, next }),
    ),
  resend: (webhookId, eventId) => mapped(ask(events.resendOwn, { params: { webhookId, eventId } }), nothing),
  redeliveries: (webhookId) =>
    mapped(ask(redeliveries.listOwn, { params: { webhookId } }), ({ redeliveries: items }) => items),
  redeliver: (webhookId, body) =>
    mapped(ask(redeliveries.createOwn, { params: { webhookId }, body }), nothing),
  cancelRedelivery: (webhookId, redeliveryId) =>
    mapped(ask(redeliveries.cancelOwn, { params: { webhookId, redeliveryId } }), nothing),
})
