import type { MerchantClient, PartnerClient, Schemas } from '@causeway/client'
import { CliError } from '../cli-error.ts'
import { merchantLog, ownPartnerLog, partnerLog, type EventLog } from '../session/event-log.ts'
import type { StaffClient } from '../session/staff-client.ts'

/** Whose events are listened to, and how a webhook for them is registered. */
export type Subscriber = Readonly<{
  log: EventLog
  register: (url: string) => Promise<Readonly<{ webhookId: string; secret: string }>>
  remove: (webhookId: string) => Promise<void>
  /** Id of the API key that was created for this run; null if none was created. */
  keyId: string | null
  /** Gives back a key that was borrowed, by this run or by one that has crashed. */
  giveBack: (keyId: string) => Promise<void>
}>

/** The platform checks the event types, as typed. */
const bodyOf = (url: string, eventTypes: readonly string[]) => ({
  url,
  ...(eventTypes.length > 0 && { event_types: eventTypes as Schemas['PartnerWebhook']['event_types'] }),
})

/** A partner registers its own endpoint. */
export const ownPartnerSubscriber = (partner: PartnerClient, eventTypes: readonly string[]): Subscriber => ({
  log: ownPartnerLog(partner),
  register: async (url) => {
    const { webhook, webhook_secret: secret } = await partner.createWebhookEndpoint({
      body: bodyOf(url, eventTypes),
    })
    return { webhookId: webhook.webhook_id, secret }
  },
  remove: async (webhookId) => {
    await partner.deleteWebhookEndpoint({ webhookId })
  },
  keyId: null,
  giveBack: async () => undefined,
})

/** Staff register an endpoint of a partner. */
export const partnerSubscriber = (
  staff: StaffClient,
  partnerId: string,
  eventTypes: readonly string[],
): Subscriber => ({
  log: partnerLog(staff, partnerId),
  register: async (url) => {
    const body = bodyOf(url, eventTypes)
    const { webhook, webhook_secret: secret } = await staff.createPartnerWebhook({ partnerId, body })
    return { webhookId: webhook.webhook_id, secret }
  },
  remove: async (webhookId) => {
    await staff.deletePartnerWebhook({ partnerId, webhookId })
  },
  keyId: null,
  giveBack: async () => undefined,
})

/** A merchant registers its own webhook. */
export const merchantSubscriber = (merchant: MerchantClient): Subscriber => ({
  log: merchantLog(merchant),
  register: async (url) => {
    const { id: webhookId, webhookSecret: secret } = await merchant.createWebhook({ body: { url } })
    return { webhookId, secret }
  },
  remove: async (webhookId) => {
    await merchant.deleteWebhook({ webhookId })
  },
  keyId: null,
  giveBack: async () => undefined,
})

/** Staff listen for a merchant by an API key that is made for it, and revoked at the end. */
export const borrowedSubscriber = async (
  staff: StaffClient,
  customerId: string,
  clientOf: (apiKey: string) => MerchantClient,
): Promise<Subscriber> => {
  const { api_key: apiKey } = await staff.createMerchantApiKey({ customerId })
  const { api_keys: keys } = await staff.listMerchantApiKeys({ customerId })
  const made = keys.findLast(({ hint }) => hint !== null && apiKey.endsWith(hint))
  if (made === undefined) throw new CliError(`The API key that was made for ${customerId} is not in its list`)
  return {
    ...merchantSubscriber(clientOf(apiKey)),
    keyId: made.key_id,
    giveBack: async (keyId) => {
      await staff.revokeMerchantApiKey({ customerId, keyId })
    },
  }
}
