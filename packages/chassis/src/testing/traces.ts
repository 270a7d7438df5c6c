import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Attribute = Readonly<{ key: string; value: Readonly<Record<string, unknown>> }>
type ExportedSpan = Readonly<{
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: readonly Attribute[]
  /** `code` 2 is an error. */
  status: Readonly<{ code?: number }>
}>
type Export = Readonly<{
  resourceSpans: readonly {
    resource: { attributes: readonly Attribute[] }
    scopeSpans: readonly { scope: { name: string }; spans: readonly ExportedSpan[] }[]
  }[]
}>

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A span as the collector received it. */
export type CollectedSpan = Omit<ExportedSpan, 'attributes'> &
  Readonly<{
    /** `service.name`. */
    service: string
    resource: Record<string, unknown>
    /** The instrumentation scope: our own tracer, or the instrumentation of a library. */
    library: string
    attributes: Record<string, unknown>
  }>

const spansOf = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource: { attributes }, scopeSpans }) => {
    const resource = valuesOf(attributes)
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        ...span,
        service: String(resource['service.name']),
        resource,
        library: scope.name,
        attributes: valuesOf(span.attributes),
      })),
    )
  })

/** A collector of OTLP over HTTP that keeps what it receives. `settings` makes a process export every trace to it. */
export const startTraceCollector = async () => {
  const spans: CollectedSpan[] = []
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body)
      spans.push(...spansOf(JSON.parse(body.toString()) as Export))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    spans,
    bodies,
    endpoint,
    settings: {
      TRACING: 'spans',
      TRACE_SAMPLE_RATIO: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    stop: () => void server.close(),
  }
}
