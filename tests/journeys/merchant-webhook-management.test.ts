import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { newPartner, claimPlatform, type ClaimedPlatform } from './platform.ts'
import { newSeller, register } from './seller.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
  receiver = await startReceiver()
})
afterAll(async () => {
  platform.release()
  await receiver.stop()
})

test('answers the management calls as specified over HTTP', async () => {
  const merchant = await newSeller(platform, partner)
  const { webhookSecret, ...made } = await register(receiver, merchant.causeway)
  const path = `/api/user/webhooks/${made.id}`
  expect(dataOf(await merchant.api.get('/api/user/webhooks'))).toEqual({
    webhooks: [{ ...made, hasSecret: true }],
    next_cursor: null,
  })
  expect(
    dataOf(await merchant.api.put(path, { url: made.url, integrationId: merchant.integrationId })),
  ).toEqual({ id: made.id, url: made.url, integrationId: merchant.integrationId })
  expect(dataOf(await merchant.api.put(path, { url: made.url }))).toEqual({ id: made.id, url: made.url })
  const rotated = dataOf<{ webhookSecret: string }>(await merchant.api.post(`${path}/secret`))
  expect(rotated).toEqual({ id: made.id, url: made.url, webhookSecret: rotated.webhookSecret })
  expect(rotated.webhookSecret).not.toBe(webhookSecret)
  receiver.trust(rotated.webhookSecret)
  const tested = dataOf<{ payload: unknown }>(await merchant.api.post(`${path}/test`))
  expect(tested).toEqual({
    success: true,
    url: made.url,
    httpStatus: 200,
    signed: true,
    responseBody: null,
    payload: tested.payload,
  })
  expect(receiver.deliveries).toEqual([{ verified: true, webhookId: made.id, event: tested.payload }])
  expect(dataOf(await merchant.api.delete(path))).toEqual({ ok: true })
  expect((await merchant.api.delete(path)).body.error?.code).toBe('resource_not_found')
})

test('lets a merchant access neither webhooks nor integrations of another merchant', async () => {
  const [merchant, other] = [await newSeller(platform, partner), await newSeller(platform, partner)]
  const { id } = await register(receiver, other.causeway)
  const path = `/api/user/webhooks/${id}`
  for (const answer of [
    await merchant.api.put(path, { url: receiver.url }),
    await merchant.api.delete(path),
    await merchant.api.post(`${path}/secret`),
    await merchant.api.post(`${path}/test`),
    await merchant.api.get(`${path}/deliveries`),
  ])
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'resource_not_found'])
  const bound = await merchant.api.post('/api/user/webhooks', {
    url: receiver.url,
    integrationId: other.integrationId,
  })
  expect(bound.status).toBe(400)
  const expected = 'an integration of your own, or null for all of them'
  expect(bound.body.error?.details).toEqual([{ field: 'integrationId', reason: 'invalid_value', expected }])
})

test('lets staff set an integration’s own URL, and shows the previous one in the audit log', async () => {
  const merchant = await newSeller(platform, partner)
  const path = `/api/operator/integrations/${merchant.integrationId}/merchant-webhook-url`
  const set = await platform.staff.put(path, { url: receiver.url })
  expect(dataOf(set)).toEqual({
    integration_id: merchant.integrationId,
    merchant_webhook_url: receiver.url,
    webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const cleared = await platform.staff.put(path, { url: null })
  const { entries } = dataOf<{ entries: { request_id: string; before: unknown }[] }>(
    await platform.staff.get('/api/operator/audit?order=newest&limit=100'),
  )
  const entry = entries.find(({ request_id: id }) => id === cleared.headers.get('x-request-id'))
  expect(entry?.before).toEqual({
    integration_id: merchant.integrationId,
    merchant_webhook_url: receiver.url,
  })
  const unknown = await platform.staff.put(path.replace(merchant.integrationId, 'int_x'), { url: null })
  expect(unknown.status).toBe(404)
})

test('lets a merchant revoke the key that it calls with, and refuses it from then on', async () => {
  const { api, causeway } = await newSeller(platform, partner)
  const { apiKeys } = await causeway.listApiKeys()
  expect((await causeway.revokeApiKey.reply({ keyId: String(apiKeys[0]?.keyId) })).status).toBe(200)
  expect((await api.get('/api/user/webhooks')).status).toBe(401)
})
