import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, startTraceCollector, type CollectedSpan } from '@causeway/chassis/testing'
import { readFileSync } from 'node:fs'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newPartner,
  orderBody,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'
import { cardOrderBody } from '@causeway/scenario'

let collector: Awaited<ReturnType<typeof startTraceCollector>>
let spans: readonly CollectedSpan[]
let platform: TestPlatform

/** Settings that export every trace to this test's collector. */
const traced = () => ({ ...collector.settings, PARTNER_RETRY_SCHEDULE: '100ms,100ms' })

beforeAll(async () => {
  collector = await startTraceCollector()
  spans = collector.spans
  platform = await startTestPlatform(traced())
})
afterAll(async () => {
  await platform.stop()
  collector.stop()
})

/** The path from the root to a span, each as `service:name`. */
const pathOf = (span: CollectedSpan): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathOf(parent) : []), `${span.service}:${span.name}`]
}

test('records one request as one trace across HTTP, bus and PostgreSQL, and continues the caller’s trace', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await partner.api.get(customer, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })

  const statement = await eventually(() =>
    spans.find((span) => span.traceId === traceId && span.name.startsWith('customers.')),
  )
  await eventually(() =>
    spans.some((span) => span.traceId === traceId && span.service === 'gateway' && span.kind === 2),
  )
  expect(pathOf(statement)).toEqual([
    'gateway:GET /api/v1/partner/customers/:customerId',
    'gateway:onboarding.customers.get',
    'onboarding:onboarding.customers.get',
    `onboarding:${statement.name}`,
  ])
})

test('passes the trace of the request that caused an event to the service that delivers it', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const traceId = '7bf92f3577b34da6a3ce929d0e0e4736'
  await partner.api.post(`${customer}/orders`, orderBody('traced'), {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  })
  const consumed = await eventually(() =>
    spans.find((span) => span.traceId === traceId && span.name === 'webhooks-fanout'),
  )
  expect(consumed.service).toBe('webhooks')
})

test('records the POST of an event in the trace of the request that caused it, without the receiver’s path', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const sentHeaders = new Set<string>()
  const receiver = await startReceiver({
    answer: (_delivery, response) => {
      for (const name of Object.keys(response.req.headers)) sentHeaders.add(name)
      response.end()
    },
  })
  await registerReceiver(platform, partner.partnerId, receiver)
  const traceId = '8bf92f3577b34da6a3ce929d0e0e4736'
  await partner.api.post(`${customer}/orders`, orderBody('posted'), {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  })
  const posted = await eventually(() =>
    spans.find((span) => span.traceId === traceId && span.name === 'POST'),
  )
  const { hostname, port, pathname } = new URL(receiver.url)
  expect(posted).toMatchObject({
    service: 'webhooks',
    kind: 3,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': hostname,
      'server.port': Number(port),
      'causeway.channel': 'partner',
    },
  })
  const path = [
    'gateway:POST /api/v1/partner/customers/:customerId/orders',
    'gateway:payments.crypto-orders.create',
    'payments:payments.crypto-orders.create',
    'webhooks:POST',
  ]
  // Each process exports its spans when it likes.
  await eventually(() => pathOf(posted).length === path.length)
  expect(pathOf(posted)).toEqual(path)
  expect(JSON.stringify(posted.attributes)).not.toContain(pathname)
  expect([sentHeaders.has('x-webhook-event-id'), sentHeaders.has('traceparent')]).toEqual([true, false])
  await receiver.stop()
})

test('records a retry of a delivery in the trace of its event, with the number of the retry', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const statuses = [503, 503]
  const receiver = await startReceiver({ status: () => statuses.shift() ?? 200 })
  await registerReceiver(platform, partner.partnerId, receiver)
  const traceId = '9bf92f3577b34da6a3ce929d0e0e4736'
  await partner.api.post(`${customer}/orders`, orderBody('retried'), {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  })
  const posts = () => spans.filter((span) => span.traceId === traceId && span.name === 'POST')
  await eventually(() => posts().length === 3)
  const attempts = posts().map(({ attributes }) => [
    attributes['http.response.status_code'],
    attributes['http.request.resend_count'],
  ])
  expect(attempts).toEqual([
    [503, undefined],
    [503, 1],
    [200, 2],
  ])
  const parents = new Set(posts().map(({ parentSpanId }) => parentSpanId))
  expect(parents.size).toBe(1)
  await receiver.stop()
})

test('records a call to the card processor as a client span in the trace of its request', async () => {
  const partner = await newPartner(platform)
  const { customerId, path: customer } = await newCustomer(platform, partner.causeway)
  const body = { ...(await cardOrderBody(partner.causeway, customerId)), payer_ip: '203.0.113.9' }
  const traceId = 'abf92f3577b34da6a3ce929d0e0e4736'
  const { status } = await partner.api.post(`${customer}/fiat-orders`, body, {
    'idempotency-key': 'traced-card',
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  })
  expect(status).toBe(201)
  const posted = await eventually(() =>
    spans.find((span) => span.traceId === traceId && span.kind === 3 && span.name === 'POST'),
  )
  expect(posted).toMatchObject({ service: 'payments', attributes: { 'server.address': '127.0.0.1' } })
})

test('records calls to the nodes of a chain as client spans in the trace of the job that follows the chain', async () => {
  const paths = await eventually(() => {
    const found = spans
      .filter(({ service, kind, name }) => service === 'payments' && kind === 3 && name === 'GET')
      .map(pathOf)
    return found.some(([first]) => first === 'payments:chain-watcher') && found
  })
  expect(paths).toContainEqual(['payments:chain-watcher', 'payments:GET'])
})

test('names the release and the process in the traces of every process', async () => {
  await eventually(() => new Set(spans.map(({ service }) => service)).size >= 5)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const processes = new Map(spans.map(({ service, resource }) => [service, resource]))
  const versions = new Set([...processes.values()].map((resource) => resource['service.version']))
  const instances = new Set([...processes.values()].map((resource) => resource['service.instance.id']))
  expect([...versions]).toEqual([version])
  expect(instances.size).toBe(processes.size)
})

test('adds the libraries’ own spans to the trace with TRACING=auto: HTTP server, Express, PostgreSQL, undici', async () => {
  const diagnosed = await startTestPlatform({ ...traced(), TRACING: 'auto' })
  try {
    const partner = await newPartner(diagnosed)
    await partner.api.get('/api/v1/partner/customers')
    const expected = ['http', 'express', 'pg', 'undici'].map(
      (name) => `@opentelemetry/instrumentation-${name}`,
    )
    await eventually(() => expected.every((name) => spans.some(({ library }) => library === name)))
  } finally {
    await diagnosed.stop()
  }
})
