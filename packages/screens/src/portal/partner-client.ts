import {
  deliveries,
  destinations,
  events,
  PARTNER_EVENT_TYPES,
  redeliveries,
  type PartnerEventType,
  type PartnerWebhook,
} from '@causeway/contracts'
import type { Ask } from '../screen.ts'
import { mapped, nothing, type Webhook, type WebhookClient } from './client.ts'

const webhookOf = (webhook: PartnerWebhook): Webhook => ({
  id: webhook.webhook_id,
  url: webhook.url,
  eventTypes: webhook.event_types,
  integrationId: null,
  createdAt: webhook.created_at,
  formerSecretUntil: webhook.former_secret_until ?? null,
  disabledAt: webhook.disabled_at ?? null,
})

type Made = Readonly<{ webhook: PartnerWebhook; webhook_secret: string }>

const madeOf = ({ webhook, webhook_secret: secret }: Made) => ({
  id: webhook.webhook_id,
  secret,
  formerSecretUntil: webhook.former_secret_until ?? null,
})

/** A partner's destinations, by the operations of staff that the gateway opens to its people. */
export const partnerClient = (ask: Ask, partnerId: string): WebhookClient => {
  const owner = { partnerId }
  const at = (webhookId: string) => ({ ...owner, webhookId })
  // Another type than the operation's is refused by it.
  const types = (chosen: readonly string[]) => [...chosen] as PartnerEventType[]
  return {
    choosableTypes: PARTNER_EVENT_TYPES,
    list: (cursor) =>
      mapped(
        ask(destinations.list, { params: owner, query: cursor === null ? {} : { cursor } }),
        ({ webhooks, next_cursor: next }) => ({ items: webhooks.map(webhookOf), next }),
      ),
    create: ({ url, eventTypes }) =>
      mapped(
        ask(destinations.create, { params: owner, body: { url, event_types: types(eventTypes) } }),
        madeOf,
      ),
    update: (id, { url, eventTypes }) =>
      mapped(
        ask(destinations.update, { params: at(id), body: { url, event_types: types(eventTypes) } }),
        nothing,
      ),
    remove: (id) => mapped(ask(destinations.delete, { params: at(id) }), nothing),
    setStatus: (id, status) =>
      mapped(ask(destinations.update, { params: at(id), body: { status } }), nothing),
    endOverlap: (id) =>
      mapped(ask(destinations.update, { params: at(id), body: { former_secret_until: null } }), nothing),
    rotateSecret: (id, hours) =>
      mapped(
        ask(destinations.rotateSecret, {
          params: at(id),
          body: hours === null ? {} : { overlap_hours: hours },
        }),
        madeOf,
      ),
    test: (id) =>
      mapped(ask(destinations.test, { params: at(id) }), ({ event_id: eventId }) => ({ eventId })),
    events: (query) =>
      mapped(ask(events.list, { params: owner, query }), ({ events: items, next_cursor: next }) => ({
        items,
        next,
      })),
    event: (eventId) => mapped(ask(events.get, { params: { ...owner, eventId } }), ({ event }) => event),
    deliveries: (id, query) =>
      mapped(ask(deliveries.list, { params: at(id), query }), ({ deliveries: items, next_cursor: next }) => ({
        items,
        next,
      })),
    resend: (id, eventId) => mapped(ask(events.resend, { params: { ...at(id), eventId } }), nothing),
    redeliveries: (id) =>
      mapped(ask(redeliveries.list, { params: at(id) }), ({ redeliveries: items }) => items),
    redeliver: (id, body) => mapped(ask(redeliveries.create, { params: at(id), body }), nothing),
    cancelRedelivery: (id, redeliveryId) =>
      mapped(ask(redeliveries.cancel, { params: { ...at(id), redeliveryId } }), nothing),
  }
}
