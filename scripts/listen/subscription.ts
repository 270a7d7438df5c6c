import { createApiClient, dataOf } from '../demo/api-client.ts'

/** Whose events are listened to, and the credential that registers a webhook for them. */
export type Subject = Readonly<
  | { channel: 'partner'; partnerId: string; operatorKey: string; eventTypes: readonly string[] }
  | { channel: 'merchant'; apiKey: string }
>

/** A webhook that lasts as long as its listener. */
export type Subscription = Readonly<{ id: string; url: string; secret: string; remove: () => Promise<void> }>

const ofPartner = async (
  baseUrl: string,
  { partnerId, operatorKey, eventTypes }: Extract<Subject, { channel: 'partner' }>,
  url: string,
): Promise<Subscription> => {
  const staff = createApiClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } })
  const path = `/api/operator/partners/${partnerId}/webhooks`
  const made = dataOf<{ webhook: { webhook_id: string; url: string }; webhook_secret: string }>(
    await staff.post(path, { url, ...(eventTypes.length > 0 && { event_types: eventTypes }) }),
  )
  const { webhook_id: id, url: kept } = made.webhook
  const remove = async () => void dataOf(await staff.delete(`${path}/${id}`))
  return { id, url: kept, secret: made.webhook_secret, remove }
}

const ofMerchant = async (
  baseUrl: string,
  { apiKey }: Extract<Subject, { channel: 'merchant' }>,
  url: string,
): Promise<Subscription> => {
  const merchant = createApiClient({ baseUrl, headers: { 'x-api-key': apiKey } })
  const made = dataOf<{ id: string; url: string; webhookSecret: string }>(
    await merchant.post('/api/user/webhooks', { url }),
  )
  const remove = async () => void dataOf(await merchant.delete(`/api/user/webhooks/${made.id}`))
  return { id: made.id, url: made.url, secret: made.webhookSecret, remove }
}

/**
 * Registers a webhook: a destination of a partner by the operator API, or a merchant's wildcard by its own API.
 * @throws when the platform refuses, with what it answered
 */
export const subscribe = (baseUrl: string, subject: Subject, url: string): Promise<Subscription> =>
  subject.channel === 'partner' ? ofPartner(baseUrl, subject, url) : ofMerchant(baseUrl, subject, url)
