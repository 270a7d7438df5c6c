import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@causeway/chassis/testing'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newPartner,
  orderBody,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  service: string
  /** The instrumentation scope: our own tracer, or an instrumented library's. */
  library: string
  attributes: Record<string, unknown>
}
type ExportedSpan = Omit<Span, 'service' | 'library' | 'attributes'> & {
  attributes: { key: string; value: Record<string, unknown> }[]
}
type Export = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { scope: { name: string }; spans: ExportedSpan[] }[]
  }[]
}

const spans: Span[] = []
let collector: Server
let platform: TestPlatform

const collect = (exported: Export) => {
  for (const { resource, scopeSpans } of exported.resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    for (const { scope, spans: exportedSpans } of scopeSpans)
      spans.push(
        ...exportedSpans.map((span) => ({
          ...span,
          service,
          library: scope.name,
          attributes: Object.fromEntries(
            span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
          ),
        })),
      )
  }
}

/** Settings that export every request's trace to this test's collector. */
const traced = (): Record<string, string> => ({
  TRACING: 'spans',
  TRACE_SAMPLE_RATIO: '1',
  PARTNER_RETRY_SCHEDULE: '100ms,100ms',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_BSP_SCHEDULE_DELAY: '200',
})

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      collect(JSON.parse(Buffer.concat(chunks).toString()) as Export)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  platform = await startTestPlatform(traced())
})
afterAll(async () => {
  await platform.stop()
  collector.close()
})

/** The path from the root to a span, each as `service:name`. */
const pathOf = (span: Span): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathOf(parent) : []), `${span.service}:${span.name}`]
}

test('one request is one trace across HTTP, bus and PostgreSQL, and continues the caller’s trace', async () => {
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

test('an event carries the trace of the request that caused it to the service that delivers it', async () => {
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

test('the POST of an event is in the trace of the request that caused it, without the receiver’s path', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const receiver = await startReceiver()
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
  await receiver.stop()
})

test('a retry of a delivery is in the trace of its event, and says which retry it is', async () => {
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

test('with the diagnosis setting the libraries’ own spans join the trace: HTTP server, Express, PostgreSQL', async () => {
  const diagnosed = await startTestPlatform({ ...traced(), TRACING: 'auto' })
  try {
    const partner = await newPartner(diagnosed)
    await partner.api.get('/api/v1/partner/customers')
    const libraries = await eventually(() => {
      const seen = new Set(spans.map(({ library }) => library))
      return (
        seen.has('@opentelemetry/instrumentation-http') &&
        seen.has('@opentelemetry/instrumentation-pg') &&
        seen
      )
    })
    expect([...libraries]).toEqual(
      expect.arrayContaining(['causeway', '@opentelemetry/instrumentation-http']),
    )
  } finally {
    await diagnosed.stop()
  }
})
