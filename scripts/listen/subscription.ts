import { createRawClient, dataOf } from '../platform/raw-client.ts'

/** Whose events to listen to, with the credential that registers the webhook. */
export type Subject = Readonly<
  | { channel: 'partner'; partnerId: string; operatorKey: string; eventTypes: readonly string[] }
  | { channel: 'merchant'; apiKey: string }
  | { channel: 'merchant'; merchantId: string; operatorKey: string }
>

/** A webhook that is removed with its listener. */
export type Subscription = Readonly<{ id: string; url: string; secret: string; remove: () => Promise<void> }>

const staffOf = (baseUrl: string, operatorKey: string) =>
  createRawClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } })

const ofPartner = async (
  baseUrl: string,
  { partnerId, operatorKey, eventTypes }: Extract<Subject, { channel: 'partner' }>,
  url: string,
): Promise<Subscription> => {
  const staff = staffOf(baseUrl, operatorKey)
  const path = `/api/operator/partners/${partnerId}/webhooks`
  const made = dataOf<{ webhook: { webhook_id: string; url: string }; webhook_secret: string }>(
    await staff.post(path, { url, ...(eventTypes.length > 0 && { event_types: eventTypes }) }),
  )
  const { webhook_id: id, url: kept } = made.webhook
  const remove = async () => void dataOf(await staff.delete(`${path}/${id}`))
  return { id, url: kept, secret: made.webhook_secret, remove }
}

type ApiKeys = { api_keys: { key_id: string; hint: string | null }[] }

/** Creates a temporary API key of a merchant. */
const borrowKey = async (baseUrl: string, merchantId: string, operatorKey: string) => {
  const staff = staffOf(baseUrl, operatorKey)
  const path = `/api/operator/merchants/${merchantId}/api-keys`
  const { api_key: apiKey } = dataOf<{ api_key: string }>(await staff.post(path))
  const { api_keys: keys } = dataOf<ApiKeys>(await staff.get(path))
  const made = keys.findLast(({ hint }) => hint !== null && apiKey.endsWith(hint))
  return { apiKey, giveBack: async () => void dataOf(await staff.delete(`${path}/${String(made?.key_id)}`)) }
}

const withKey = async (baseUrl: string, apiKey: string, url: string): Promise<Subscription> => {
  const merchant = createRawClient({ baseUrl, headers: { 'x-api-key': apiKey } })
  const made = dataOf<{ id: string; url: string; webhookSecret: string }>(
    await merchant.post('/api/user/webhooks', { url }),
  )
  const remove = async () => void dataOf(await merchant.delete(`/api/user/webhooks/${made.id}`))
  return { id: made.id, url: made.url, secret: made.webhookSecret, remove }
}

const ofMerchant = async (
  baseUrl: string,
  subject: Extract<Subject, { channel: 'merchant' }>,
  url: string,
): Promise<Subscription> => {
  if ('apiKey' in subject) return withKey(baseUrl, subject.apiKey, url)
  const { apiKey, giveBack } = await borrowKey(baseUrl, subject.merchantId, subject.operatorKey)
  const subscription = await withKey(baseUrl, apiKey, url).catch(async (error: unknown) => {
    await giveBack()
    throw error
  })
  return { ...subscription, remove: () => subscription.remove().finally(giveBack) }
}

/**
 * Registers a webhook: a destination of a partner by the operator API, or a merchant's wildcard by its own API.
 * @throws Error with the platform's response when it refuses
 */
export const subscribe = (baseUrl: string, subject: Subject, url: string): Promise<Subscription> =>
  subject.channel === 'partner' ? ofPartner(baseUrl, subject, url) : ofMerchant(baseUrl, subject, url)
