import { SCOPES } from '@causeway/contracts'
import { verifyPartnerEvent } from '@causeway/webhook-verifier'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { startCausewayListen, type Listener } from './pages/listener.ts'
import { newPartner, signUp, claimPlatform, type ClaimedPlatform } from './platform.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
const listeners: Listener[] = []
const servers: Server[] = []
beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
})
afterEach(async () => {
  listeners.splice(0).forEach((listener) => listener.kill())
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  // What a test has left behind is no part of the next one.
  for (const { webhook_id } of await destinations())
    await platform.staff.delete(`/api/operator/partners/${partner.partnerId}/webhooks/${webhook_id}`)
})
afterAll(() => platform.release())

const serve = async (handle: RequestListener): Promise<string> => {
  const server = createServer(handle)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const destinations = async () =>
  dataOf<{ webhooks: { webhook_id: string; url: string }[] }>(
    await partner.api.get('/api/v1/partner/webhooks'),
  ).webhooks

const listen = async (args: readonly string[], baseUrl = platform.baseUrl): Promise<Listener> => {
  const listener = await startCausewayListen(args, {
    CAUSEWAY_BASE_URL: baseUrl,
    CAUSEWAY_STAFF_KEY: platform.operatorKey,
    CAUSEWAY_PARTNER_ID: partner.partnerId,
  })
  listeners.push(listener)
  return listener
}

/** Has an event of the partner happen. @returns the id of the customer that it is about */
const makeEvent = async (): Promise<string> => {
  const { customerId: id } = await signUp(partner.causeway)
  dataOf(await platform.staff.post(`/api/operator/customers/${id}/revoke`))
  return id
}

test('delivers an event that happened after the start and before the registration', async () => {
  const before = await makeEvent()
  const log = async () =>
    dataOf<{ events: { event_id: string }[] }>(
      await platform.staff.get(`/api/operator/partners/${partner.partnerId}/webhook-events`),
    ).events
  await eventually(async () => (await log()).length === 1)
  let missed = ''
  const passOn: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request
    void (async () => {
      const body = await buffer(request)
      if (method === 'POST' && url.endsWith('/webhooks')) {
        missed = await makeEvent()
        await eventually(async () => (await log()).length === 2)
      }
      const { authorization = '', 'content-type': type = '' } = headers
      const answer = await fetch(platform.baseUrl + url, {
        method,
        headers: { authorization, ...(type !== '' && { 'content-type': type }) },
        ...(body.length > 0 && { body }),
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })()
  }
  const listener = await listen([], await serve(passOn))
  const line = await eventually(() => listener.lines()[0])
  expect(line).toContain(`"partner_customer_id":"${missed}"`)
  const later = await makeEvent()
  await eventually(() => listener.lines().length === 2)
  expect(listener.lines()[1]).toContain(`"partner_customer_id":"${later}"`)
  expect(listener.lines().join()).not.toContain(before)
})

test('removes the registration of a crashed run, and not that of a running one', async () => {
  const crashed = await listen([])
  await crashed.crash()
  const running = await listen([])
  const urls = (await destinations()).map(({ url }) => url)
  expect(urls).toHaveLength(1)
  expect(running.first()).toContain(String(urls[0]))
  const second = await listen([])
  expect(await destinations()).toHaveLength(2)
  expect(await second.interrupt()).toBe(0)
  expect(await running.interrupt()).toBe(0)
  expect(await destinations()).toEqual([])
})

test('prints when it is ready, and prints JSON lines', async () => {
  const listener = await listen(['--json', '--types', 'customer.updated'])
  const { listening } = JSON.parse(listener.first()) as { listening: Record<string, unknown> }
  const [destination] = await destinations()
  expect(listening).toEqual({
    whose: `partner ${partner.partnerId}`,
    url: destination?.url,
    webhook_id: destination?.webhook_id,
    ready_ms: expect.any(Number),
  })
  const id = await makeEvent()
  const line = await eventually(() => listener.lines()[0])
  expect(JSON.parse(line)).toEqual({
    verified: true,
    fault: null,
    type: 'customer.updated',
    event: expect.objectContaining({ data: expect.objectContaining({ partner_customer_id: id }) }),
  })
})

test("listens with a partner's client alone, which has the scopes for webhooks", async () => {
  const { clientId, clientSecret, causeway, api } = await newPartner(platform, { scopes: SCOPES })
  const listener = await startCausewayListen(['--types', 'customer.updated'], {
    CAUSEWAY_BASE_URL: platform.baseUrl,
    CAUSEWAY_CLIENT_ID: clientId,
    CAUSEWAY_CLIENT_SECRET: clientSecret,
  })
  listeners.push(listener)
  const { customerId: id } = await signUp(causeway)
  dataOf(await platform.staff.post(`/api/operator/customers/${id}/revoke`))
  const line = await eventually(() => listener.lines()[0])
  expect(line).toContain(`"partner_customer_id":"${id}"`)
  expect(await listener.interrupt()).toBe(0)
  const left = dataOf<{ webhooks: unknown[] }>(await api.get('/api/v1/partner/webhook-endpoints'))
  expect(left.webhooks).toEqual([])
})

test('shows a forged delivery as forged, refuses it and does not forward it', async () => {
  let forwarded = 0
  const target = await serve((_request, response) => {
    forwarded += 1
    response.end()
  })
  const listener = await listen(['--forward-to', target])
  const [{ url } = { url: '' }] = await destinations()
  const headers = { 'x-timestamp': '1', 'x-signature': `v1=${'0'.repeat(64)}` }
  const answer = await fetch(url, { method: 'POST', headers, body: '{"event":"paid"}' })
  expect([answer.status, forwarded]).toEqual([401, 0])
  expect(listener.lines()[0]).toMatch(/^NOT VERIFIED \(The signature is of no secret .*\) paid /)
})

test('forwards a delivery unchanged, and returns the program’s answer to the platform', async () => {
  const received: { body: Buffer; headers: IncomingHttpHeaders }[] = []
  const statuses = [503, 204]
  const target = await serve((request, response) => {
    void buffer(request).then((body) => {
      response.writeHead(statuses[received.length] ?? 200).end()
      received.push({ body, headers: request.headers })
    })
  })
  const listener = await listen(['--forward-to', `${target}/hooks`])
  const [{ webhook_id: webhookId } = { webhook_id: '' }] = await destinations()
  await makeEvent()
  await eventually(() => received.length === 2)
  const log = `/api/operator/partners/${partner.partnerId}/webhooks/${webhookId}/deliveries`
  const [delivery] = await eventually(async () => {
    const { deliveries } = dataOf<{ deliveries: { attempts: { status_code: number }[]; status: string }[] }>(
      await platform.staff.get(log),
    )
    return deliveries[0]?.status === 'delivered' && deliveries
  })
  expect(delivery?.attempts.map(({ status_code: status }) => status)).toEqual([503, 204])
  const [, secret = ''] = await eventually(
    () => /Its webhook secret: (\w+)\n/.exec(listener.notes()) ?? undefined,
  )
  for (const { body, headers } of received)
    expect(await verifyPartnerEvent(body, headers, secret)).toMatchObject({ event_type: 'customer.updated' })
  expect(listener.lines()[1]).toMatch(new RegExp(`^ {2}→ ${target}/hooks 503 \\(\\d+ ms\\)$`))
})
