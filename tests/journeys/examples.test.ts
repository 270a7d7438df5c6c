import { createApp as createExpress } from '@causeway/examples/express'
import { createApp as createFastify } from '@causeway/examples/fastify'
import { createRoutes } from '@causeway/examples/next'
import type { Settings } from '@causeway/examples/shop'
import { eventually } from '@causeway/chassis/testing'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { SAMPLE_CASE } from '@causeway/scenario'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { newPartner, claimPlatform, type ClaimedPlatform } from './platform.ts'

let platform: ClaimedPlatform
const open: { close: () => unknown }[] = []
beforeAll(async () => {
  platform = await claimPlatform()
})
afterAll(async () => {
  for (const server of open) await server.close()
  platform.release()
})

type Serve = (settings: Settings, port: number) => Promise<void>

const serveExpress: Serve = async (settings, port) => {
  const server = createExpress(settings).listen(port, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
}
const serveFastify: Serve = async (settings, port) => {
  const app = createFastify(settings)
  open.push(app)
  await app.listen({ port, host: '127.0.0.1' })
}

/** Serves route files by their paths, as Next.js does. */
const serveNext: Serve = async (settings, port) => {
  const routes = Object.entries(createRoutes(settings)).map(([file, methods]) => {
    const pattern = file.replace(/^app|\/route\.ts$/g, '').replace('[id]', '(?<id>[^/]+)')
    return { pattern: new RegExp(`^${pattern}$`), methods }
  })
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const { method = '', url = '' } = request
      const found = routes.find(({ pattern }) => pattern.test(url))
      const id = found?.pattern.exec(url)?.groups?.['id'] ?? ''
      const init = {
        method,
        headers: request.headers as Record<string, string>,
        ...(method === 'GET' ? {} : { body }),
      }
      const handle = found?.methods[method as 'GET' | 'POST']
      const params = Promise.resolve({ id })
      const answer = await handle?.(new Request(`http://127.0.0.1${url}`, init), { params })
      response.writeHead(answer?.status ?? 404).end(await answer?.text())
    })
  }).listen(port, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
}

test.each([
  ['express', serveExpress],
  ['fastify', serveFastify],
  ['route handlers', serveNext],
])('serves %s from the sign-up to a paid order, which its webhook reports', async (name, serve) => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const { partnerId, clientId, clientSecret, causeway } = await newPartner(platform)
  const destinations = `/api/operator/partners/${partnerId}/webhooks`
  const { webhook_secret: webhookSecret } = dataOf<{ webhook_secret: string }>(
    await platform.staff.post(destinations, { url: `${base}/hooks` }),
  )
  await serve({ baseUrl: platform.baseUrl, clientId, clientSecret, webhookSecret }, port)
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Record<string, string>
  }

  const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')
  const documents = Object.fromEntries(REQUIRED_DOCUMENT_TYPES.map((type) => [type, pdf]))
  const email = `${name.replaceAll(' ', '-')}@example.com`
  const merchant = await post('/merchants', { shopId: name, email, verification: SAMPLE_CASE, documents })
  expect(merchant).toMatchObject({ submitted: true, incomplete_fields: [] })
  const { verification } = await causeway.getCustomerVerification({
    customerId: merchant['customerId'] ?? '',
  })
  dataOf(await platform.staff.post(`/api/operator/verifications/${verification.verification_id}/approve`))

  const { orderId, payTo } = await post(`/merchants/${merchant['customerId'] ?? ''}/invoices`, {
    invoice: 'i-1',
    euros: 25,
  })
  expect(payTo).toMatch(/^ethereum:/)
  const isPaid = async () =>
    ((await (await fetch(`${base}/orders/${orderId ?? ''}`)).json()) as { paid: boolean }).paid
  expect(await isPaid()).toBe(false)
  await platform.sandbox.post('/control/deposits', { order_id: orderId })
  expect(await eventually(isPaid)).toBe(true)

  const forged = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-timestamp': '1',
      'x-signature': `v1=${'0'.repeat(64)}`,
    },
  }
  expect((await fetch(`${base}/hooks`, { ...forged, body: '{}' })).status).toBe(400)
})
