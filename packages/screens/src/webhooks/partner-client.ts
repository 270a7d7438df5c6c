import {
  DEFAULT_EVENT_TYPES,
  destinations,
  OPT_IN_EVENT_TYPES,
  PARTNER_EVENT_TYPES,
  type PartnerEventType,
  type PartnerWebhook,
} from '@causeway/contracts'
import type { Ask } from '../screen.ts'
import { findInList, mapped, nothing, type Webhook, type WebhookClient } from './client.ts'
import { partnerLogClient } from './log-client.ts'

const isDefault = (types: readonly PartnerEventType[]): boolean =>
  types.length === DEFAULT_EVENT_TYPES.length && DEFAULT_EVENT_TYPES.every((type) => types.includes(type))

const webhookOf = (webhook: PartnerWebhook): Webhook => ({
  id: webhook.webhook_id,
  url: webhook.url,
  eventTypes: isDefault(webhook.event_types) ? [] : webhook.event_types,
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

/** Creates the client for a partner's destinations, on the staff operations that the gateway opens to partners. */
export const partnerClient = (ask: Ask, partnerId: string): WebhookClient => {
  const owner = { partnerId }
  const at = (webhookId: string) => ({ ...owner, webhookId })
  // The operation refuses unknown types.
  const types = (chosen: readonly string[]) => [...chosen] as PartnerEventType[]
  const list: WebhookClient['list'] = (cursor) =>
    mapped(
      ask(destinations.list, { params: owner, query: cursor === null ? {} : { cursor } }),
      ({ webhooks, next_cursor: next }) => ({ items: webhooks.map(webhookOf), next }),
    )
  return {
    ...partnerLogClient(ask, partnerId),
    choosableTypes: PARTNER_EVENT_TYPES,
    optInTypes: OPT_IN_EVENT_TYPES,
    list,
    find: (id) => findInList(list, id),
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
  }
}
