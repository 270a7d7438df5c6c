import { registrations, type MerchantWebhook } from '@causeway/contracts'
import type { Ask } from '../screen.ts'
import { findInList, mapped, nothing, type Webhook, type WebhookClient, type WebhookInput } from './client.ts'
import { ownLogClient } from './log-client.ts'

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

/** Creates the client for a merchant's webhooks, on the operations of the merchant API. */
export const merchantClient = (ask: Ask): WebhookClient => {
  const list: WebhookClient['list'] = (cursor) =>
    mapped(
      ask(registrations.list, { query: cursor === null ? {} : { cursor } }),
      ({ webhooks, next_cursor: next }) => ({ items: webhooks.map(webhookOf), next }),
    )
  return {
    ...ownLogClient(ask),
    choosableTypes: null,
    optInTypes: [],
    list,
    find: (id) => findInList(list, id),
    create: (input) => mapped(ask(registrations.create, { body: bodyOf(input) }), madeOf),
    update: (webhookId, input) =>
      mapped(ask(registrations.update, { params: { webhookId }, body: bodyOf(input) }), nothing),
    remove: (webhookId) => mapped(ask(registrations.delete, { params: { webhookId } }), nothing),
    setStatus: (webhookId, status) =>
      mapped(ask(registrations.update, { params: { webhookId }, body: { status } }), nothing),
    endOverlap: (webhookId) =>
      mapped(
        ask(registrations.update, { params: { webhookId }, body: { formerSecretUntil: null } }),
        nothing,
      ),
    rotateSecret: (webhookId, hours) =>
      mapped(
        ask(registrations.rotateSecret, {
          params: { webhookId },
          body: hours === null ? {} : { overlapHours: hours },
        }),
        madeOf,
      ),
    test: (webhookId) =>
      mapped(ask(registrations.test, { params: { webhookId } }), () => ({ eventId: null })),
  }
}
