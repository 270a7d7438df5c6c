import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { WebhookEvent } from '@causeway/webhook-verifier'
import { createReceiver as createExpress } from '@causeway/webhook-verifier/examples/express'
import { createReceiver as createFastify } from '@causeway/webhook-verifier/examples/fastify'
import { createReceiver as createNode } from '@causeway/webhook-verifier/examples/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paymentEvent } from '../harness.ts'
import { merchantEvent, startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'

type Take = (event: WebhookEvent) => Promise<void>
type Example = Readonly<{
  path: string
  channel: 'partner' | 'merchant'
  create: (secret: string, take: Take) => RequestListener | Promise<RequestListener>
}>

const asListener =
  (server: Server): RequestListener =>
  (request, response) =>
    void server.emit('request', request, response)

const EXAMPLES: Readonly<Record<string, Example>> = {
  node: { path: '/', channel: 'partner', create: (...parts) => asListener(createNode(...parts)) },
  express: { path: '/service/webhook', channel: 'merchant', create: (...parts) => createExpress(...parts) },
  fastify: {
    path: '/hooks',
    channel: 'partner',
    create: async (...parts) => {
      const app = createFastify(...parts)
      await app.ready()
      return asListener(app.server)
    },
  },
}

let fixture: MerchantFixture
let server: Server
let answer: RequestListener
let url: string
const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined)
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
beforeEach(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  errors.mockClear()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
afterAll(() => fixture.stop())

/** Registers the example's address. Its receiver gets the secret of the registration unless another is given. */
const register = async ({ channel, path, create }: Example, take: Take, otherSecret?: string) => {
  const partnerId = newId('partner')
  const merchant = fixture.newMerchant()
  const made =
    channel === 'partner'
      ? await fixture.harness.createWebhook(partnerId, url + path)
      : { secret: (await merchant.registered({ url: url + path })).webhookSecret }
  answer = await create(otherSecret ?? made.secret, take)
  const event = channel === 'partner' ? paymentEvent(partnerId) : merchantEvent(merchant.merchantId, null)
  return event
}

const post = (path: string, body: string, headers: Record<string, string>) =>
  fetch(url + path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

describe.each(Object.entries(EXAMPLES))('the %s receiver of the docs', (_, example) => {
  test("accepts the platform's deliveries and gets their events", async () => {
    const taken: WebhookEvent[] = []
    const event = await register(example, async (delivered) => void taken.push(delivered))
    await fixture.harness.publishEvent(event)
    await eventually(() => taken.length === 1)
    expect(taken).toEqual([
      example.channel === 'merchant'
        ? {
            ...event.merchant?.body,
            eventId: event.id,
            occurredAt: event.created_at,
            sequence: event.sequence,
          }
        : {
            event_id: event.id,
            event_type: 'payment.confirmed',
            created_at: event.created_at,
            partner_id: event.partners[0]?.partner_id,
            data: event.partners[0]?.data,
          },
    ])
  })

  test('answers 400 to a forgery, ignores it and logs what to do', async () => {
    const taken: WebhookEvent[] = []
    await register(example, async (delivered) => void taken.push(delivered))
    const forged = await post(example.path, '{"event":"paid","order":{}}', {
      'x-timestamp': String(Math.floor(Date.now() / 1000)),
      'x-signature': `v1=${'0'.repeat(64)}`,
    })
    expect([forged.status, taken]).toEqual([400, []])
    expect(String(errors.mock.calls[0]?.[0])).toMatch(/^VerificationError: The signature is of no secret/)
  })

  test('answers 500 while it has no secret or its own work fails, so that the delivery is retried', async () => {
    await register(example, async () => undefined, '')
    expect((await post(example.path, '{}', {})).status).toBe(500)
    const event = await register(example, async () => {
      throw new Error('the receiver’s database is unavailable')
    })
    await fixture.harness.publishEvent(event)
    await eventually(() =>
      errors.mock.calls.some(([error]) => String(error).includes('database is unavailable')),
    )
  })
})
