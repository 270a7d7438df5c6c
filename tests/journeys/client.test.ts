import { createMerchantClient, createPartnerClient, type PartnerClient } from '@causeway/client'
import { eventually } from '@causeway/chassis/testing'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { cardOrderBody } from '@causeway/scenario'
import {
  newCustomer,
  newPartner,
  orderBody,
  signUp,
  claimPlatform,
  type ClaimedPlatform,
} from './platform.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let causeway: PartnerClient
beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
  causeway = createPartnerClient({ baseUrl: platform.baseUrl, ...partner })
})
afterAll(() => platform.discard())

const newSeller = () => newCustomer(platform, causeway)

test('yields every item of a list once, across pages', async () => {
  const { customerId } = await newSeller()
  const made: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const body = orderBody(`list-${n}`)
    made.unshift((await causeway.createCryptoOrder({ customerId, body })).order.id)
  }
  const seen: string[] = []
  for await (const { id } of causeway.listCryptoOrders.all({ customerId, limit: 2 })) seen.push(id)
  expect(seen).toEqual(made)
})

test('makes one refund, however often its key is sent', async () => {
  const { customerId } = await newSeller()
  const { order } = await causeway.createFiatOrder({
    customerId,
    body: await cardOrderBody(causeway, customerId),
  })
  const { order_key: orderKey } = order
  await platform.sandbox.post(`/control/card-payments/${orderKey}`, { outcome: 'completed' })
  await eventually(async () => (await causeway.getFiatOrder({ orderKey })).order.status === 'paid')
  const refund = () =>
    causeway.createRefund.reply(
      { orderKey, body: { amount_cents: 500 } },
      { idempotencyKey: `key-${orderKey}` },
    )
  const first = await refund()
  const again = await refund()
  expect([first.status, first.isReplayed, again.isReplayed]).toEqual([201, false, true])
  expect([again.data, again.requestId]).toEqual([first.data, first.requestId])
  expect((await causeway.listRefunds({ orderKey })).refunds).toHaveLength(1)
  await expect(causeway.createRefund({ orderKey, body: { amount_cents: 99_999 } })).rejects.toMatchObject({
    name: 'ConflictError',
    code: 'amount_exceeds_remaining',
    details: [{ remaining_refundable_cents: expect.any(Number) }],
  })
})

test('uploads a document from a stream, with the size of the stream', async () => {
  const { customerId } = await signUp(causeway)
  const chunks = async function* () {
    yield new TextEncoder().encode('%PDF-1.4\n')
    for (let n = 0; n < 200; n += 1) yield await Promise.resolve(new Uint8Array(10_000).fill(32))
    yield new TextEncoder().encode('%%EOF\n')
  }
  const [type] = REQUIRED_DOCUMENT_TYPES
  const body = { document_type: type, file: chunks(), file_name: 'Ausweis №7.pdf' }
  const { document } = await causeway.uploadDocument({ customerId, body })
  expect(document).toMatchObject({
    file_name: 'Ausweis №7.pdf',
    file_size_bytes: 2_000_015,
    document_type: type,
  })
})

test('throws errors as classes with the field, its allowed values, and the request’s id', async () => {
  const { customerId } = await signUp(causeway)
  const body = { kind: 'call' as 'field', message: 'Which?' }
  await expect(causeway.raiseRequirement({ customerId, body })).rejects.toMatchObject({
    name: 'InvalidRequestError',
    status: 400,
    requestId: expect.stringMatching(/^req_/),
    details: [{ field: 'kind', reason: 'invalid_value', allowed: ['document', 'field', 'clarification'] }],
  })
  await expect(causeway.getCustomer({ customerId: 'pcu_none' })).rejects.toMatchObject({
    name: 'NotFoundError',
  })
})

test('renews an expired token without a failed call', async () => {
  await signUp(causeway)
  await platform.sandbox.post('/control/clock', { advance_ms: 3_600_000 })
  expect((await causeway.listCustomers({ limit: 1 })).customers).toHaveLength(1)
})

test('lets a merchant register, test and delete a webhook with its key', async () => {
  const { merchantId } = await signUp(causeway)
  const path = `/api/operator/merchants/${merchantId}/api-keys`
  const { api_key: apiKey } = dataOf<{ api_key: string }>(await platform.staff.post(path))
  const merchant = createMerchantClient({ baseUrl: platform.baseUrl, apiKey })
  const { id: webhookId } = await merchant.createWebhook({ body: { url: 'http://127.0.0.1:9' } })
  expect(await merchant.testWebhook({ webhookId })).toMatchObject({ success: false, httpStatus: null })
  const { deliveries } = await merchant.listDeliveries({ webhookId })
  expect(deliveries).toMatchObject([{ event_type: 'test', status: 'dead' }])
  expect(await merchant.deleteWebhook({ webhookId })).toEqual({ ok: true })
})
