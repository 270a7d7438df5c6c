import { eventually } from '@causeway/chassis/testing'
import { createRawClient, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { event, ok, type Parties } from '../story.ts'

/** A merchant registers its receiver with a key that staff have given it. @returns its clients and the webhook's path */
export const registerMerchant = async (parties: Parties, merchantId: string) => {
  const { staff, client, receiver, platform } = parties
  const keysPath = `/api/operator/merchants/${merchantId}/api-keys`
  await ok(staff.post(keysPath))
  const { api_keys: keys } = await ok<{ api_keys: { key_id: string }[] }>(staff.get(keysPath))
  await ok(staff.delete(`${keysPath}/${keys[0]?.key_id}`))
  const { api_key } = await ok<{ api_key: string }>(staff.post(keysPath))
  const headers = { 'x-api-key': api_key }
  const merchant = client(headers)
  await ok(merchant.get('/api/user/api-keys'))
  await ok(merchant.post('/api/user/portal-links'))
  await ok(staff.post(keysPath.replace('api-keys', 'portal-links')))
  const peoplePath = keysPath.replace('api-keys', 'people')
  await ok(staff.post(peoplePath, { email: 'owner@merchant.example', role: 'owner' }))
  await ok(staff.get(peoplePath))
  const made = await ok<{ id: string }>(merchant.post('/api/user/webhooks', { url: receiver.url }))
  const path = `/api/user/webhooks/${made.id}`
  await ok(merchant.put(path, { integrationId: null }))
  await ok(merchant.post(`${path}/secret`, { overlapHours: 24 }))
  const { webhookSecret } = await ok<{ webhookSecret: string }>(merchant.post(`${path}/secret`))
  receiver.trust(webhookSecret)
  await ok(merchant.post(`${path}/test`))
  await ok(merchant.get('/api/user/webhooks'))
  await event(parties, 'test')
  return { merchant, unrecorded: createRawClient({ baseUrl: platform.baseUrl, headers }), path }
}

/** A partner keeps its own endpoints. @param unrecorded its client whose calls are no examples */
export const keepEndpoints = async (
  { receiver }: Parties,
  partner: RawClient,
  unrecorded: RawClient,
): Promise<void> => {
  const path = '/api/v1/partner/webhook-endpoints'
  const { webhook } = await ok<{ webhook: { webhook_id: string } }>(
    partner.post(path, { url: receiver.url, event_types: ['payment.confirmed'] }),
  )
  const one = `${path}/${webhook.webhook_id}`
  await ok(partner.get(one))
  await ok(partner.patch(one, { event_types: ['payment.confirmed', 'payment.refunded'] }))
  await ok(partner.post(`${one}/secret`, { overlap_hours: 24 }))
  await ok(partner.get(path))
  // Nothing listens there: the receiver knows no secret of this endpoint.
  await ok(unrecorded.patch(one, { url: 'http://127.0.0.1:9/hooks' }))
  await ok(partner.post(`${one}/test`))
  await ok(partner.delete(one))
}

/** The feed: a page, one event, and what came after it. */
export const readFeed = async (partner: RawClient): Promise<void> => {
  const path = '/api/v1/partner/events'
  const { events } = await ok<{ events: { event_id: string }[] }>(
    partner.get(`${path}?types=payment.confirmed&limit=1`),
  )
  await ok(partner.get(`${path}/${events[0]?.event_id}`))
}

/** The log of a destination, and sending its events again. @param owner the path of the log's owner */
export const readLog = async (api: RawClient, owner: string, webhookPath: string): Promise<void> => {
  const { deliveries } = await eventually(async () => {
    const page = await ok<{ deliveries: { delivery_id: string; event_id: string }[] }>(
      api.get(`${webhookPath}/deliveries?status=delivered`),
    )
    return page.deliveries.length > 0 && page
  })
  // The oldest: the newest of a merchant is a risk alert, whose payload is three times as long.
  const { delivery_id: delivery, event_id: id } = deliveries.at(-1) ?? { delivery_id: '', event_id: '' }
  await ok(api.get(`${owner}/webhook-events?limit=1`))
  await ok(api.get(`${owner}/webhook-events/${id}`))
  await ok(api.get(`${webhookPath}/events?limit=1`))
  await ok(api.post(`${webhookPath}/deliveries/${delivery}/redeliver`))
  await ok(api.post(`${webhookPath}/events/${id}/resend`))
  const since = new Date(Date.now() - 60_000).toISOString()
  const { redelivery } = await ok<{ redelivery: { redelivery_id: string } }>(
    api.post(`${webhookPath}/redeliveries`, { since, status: 'delivered', per_second: 10 }),
  )
  const one = `${webhookPath}/redeliveries/${redelivery.redelivery_id}`
  await ok(api.get(one))
  await ok(api.get(`${webhookPath}/redeliveries`))
  await ok(api.delete(one))
}

/** Staff look through the logs of everybody. @param owner the path of a log's owner */
export const findInLogs = async ({ staff }: Parties, owner: string): Promise<void> => {
  const { events } = await ok<{ events: { event_id: string; deliveries: unknown[] }[] }>(
    staff.get(`${owner}/webhook-events?limit=1`),
  )
  await ok(staff.get(`/api/operator/events/${events[0]?.event_id}`))
  await ok(staff.get('/api/operator/deliveries'))
}

/** The merchant removes its webhook and its key. */
export const leave = async (merchant: RawClient, path: string): Promise<void> => {
  await ok(merchant.delete(path))
  const { apiKeys } = await ok<{ apiKeys: { keyId: string }[] }>(merchant.get('/api/user/api-keys'))
  await ok(merchant.delete(`/api/user/api-keys/${apiKeys[0]?.keyId}`))
}
