import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
} from '@opentelemetry/api'

/**
 * Our own spans of the hot path. They exist only where tracing is on and the gateway sampled the request; otherwise each
 * of these calls costs one comparison.
 */
let on = false
let jobShare = 0
const tracer = trace.getTracer('causeway')
const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}
type Kind = keyof typeof KINDS

/** A span that has begun; `end` is called once. */
export type OpenSpan = Readonly<{ end: (attributes: Attributes, isError: boolean) => void }>

const run = <T>(
  parent: Context,
  name: string,
  kind: Kind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> =>
  tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, parent, async (started) => {
    try {
      return await work()
    } catch (error) {
      const message = error instanceof Error ? error.name : 'error'
      started.setAttribute('error.type', message).setStatus({ code: SpanStatusCode.ERROR, message })
      throw error
    } finally {
      started.end()
    }
  })

export const span = {
  /**
   * Called once at start, before anything is served.
   * @param share share of the runs of jobs that are traced, from 0 to 1
   */
  enable: (share: number) => {
    on = true
    jobShare = share
  },
  enabled: () => on,
  /** A child span of the active one; records nothing without an active span. */
  around: <T>(name: string, kind: Kind, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
    if (!on || trace.getActiveSpan() === undefined) return work()
    return run(context.active(), name, kind, attributes, work)
  },
  /**
   * A client span of one HTTP request to the outside, in the active trace (OpenTelemetry, semantic conventions of HTTP).
   * The path and query are left out: addresses of nodes hold keys there.
   */
  aroundHttp: <T>(
    { method, url }: Readonly<{ method: string; url: string }>,
    statusOf: (answer: T) => number | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    if (!on || trace.getActiveSpan() === undefined) return work()
    return run(context.active(), method, 'client', serverOf(method, url), async () => {
      const answer = await work()
      const status = statusOf(answer)
      if (status !== undefined) describeStatus(status)
      return answer
    })
  },
  /** The root span of a run that no request caused, for a share of the runs. */
  job: <T>(name: string, work: () => Promise<T>): Promise<T> =>
    on && Math.random() < jobShare ? run(ROOT_CONTEXT, name, 'internal', {}, work) : work(),
  /** The root span of a request that the gateway has sampled; continues a caller's W3C trace context. */
  root: <T>(
    name: string,
    kind: Kind,
    attributes: Attributes,
    traceparent: string | undefined,
    work: () => Promise<T>,
  ) => run(extract(traceparent), name, kind, attributes, work),
  /** A span of a message that arrived with a W3C trace context; records nothing without one. */
  continued: <T>(
    name: string,
    kind: Kind,
    attributes: Attributes,
    traceparent: string | undefined,
    work: () => Promise<T>,
  ) => (!on || !traceparent ? work() : run(extract(traceparent), name, kind, attributes, work)),
  /** As `continued`, for work that ends by a callback; null where nothing is recorded. */
  start: (name: string, kind: Kind, traceparent: string, attributes: Attributes): OpenSpan | null => {
    if (!on) return null
    const started = tracer.startSpan(name, { kind: KINDS[kind], attributes }, extract(traceparent))
    return {
      end(more, isError) {
        started.setAttributes(more)
        if (isError) started.setStatus({ code: SpanStatusCode.ERROR })
        started.end()
      },
    }
  },
  /** The active span as a W3C `traceparent`, or null (W3C Trace Context, section 3.2). */
  traceparent: (): string | null => {
    if (!on || trace.getActiveSpan() === undefined) return null
    const carrier: Record<string, string> = {}
    propagation.inject(context.active(), carrier)
    return carrier['traceparent'] ?? null
  },
  /** Names the active span once its request is known. */
  describe: (name: string, attributes: Attributes): void => {
    trace.getActiveSpan()?.updateName(name).setAttributes(attributes)
  },
  traceId: (): string | null => (on ? (trace.getActiveSpan()?.spanContext().traceId ?? null) : null),
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

const serverOf = (method: string, url: string): Attributes => {
  const { protocol, hostname, port } = new URL(url)
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
  }
}

/** To a client an answer of 4xx or 5xx is an error. */
const describeStatus = (status: number): void => {
  const active = trace.getActiveSpan()
  active?.setAttribute('http.response.status_code', status)
  if (status >= 400)
    active?.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR })
}

const extract = (traceparent: string | undefined): Context =>
  traceparent ? propagation.extract(context.active(), { traceparent }) : context.active()
