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

const tracer = trace.getTracer('causeway')
const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}
export type Kind = keyof typeof KINDS

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

const extract = (traceparent: string | undefined): Context =>
  traceparent ? propagation.extract(context.active(), { traceparent }) : context.active()

/** Records spans through OpenTelemetry's API, which only a process with tracing loads. */
export const recorder = {
  hasActiveSpan: () => trace.getActiveSpan() !== undefined,
  child: <T>(name: string, kind: Kind, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
    run(context.active(), name, kind, attributes, work),
  root: <T>(name: string, work: () => Promise<T>): Promise<T> =>
    run(ROOT_CONTEXT, name, 'internal', {}, work),
  /** A span in a caller's W3C trace context; without one, in the active context. */
  continued: <T>(
    name: string,
    kind: Kind,
    attributes: Attributes,
    traceparent: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> => run(extract(traceparent), name, kind, attributes, work),
  start: (name: string, kind: Kind, traceparent: string, attributes: Attributes): OpenSpan => {
    const started = tracer.startSpan(name, { kind: KINDS[kind], attributes }, extract(traceparent))
    return {
      end(more, isError) {
        started.setAttributes(more)
        if (isError) started.setStatus({ code: SpanStatusCode.ERROR })
        started.end()
      },
    }
  },
  traceparent: (): string | null => {
    if (trace.getActiveSpan() === undefined) return null
    const carrier: Record<string, string> = {}
    propagation.inject(context.active(), carrier)
    return carrier['traceparent'] ?? null
  },
  describe: (name: string, attributes: Attributes): void => {
    trace.getActiveSpan()?.updateName(name).setAttributes(attributes)
  },
  /** @param firstError the first status that is an error: 400 to a client, 500 to a server */
  describeStatus: (status: number, firstError: 400 | 500): void => {
    const active = trace.getActiveSpan()
    active?.setAttribute('http.response.status_code', status)
    if (status >= firstError)
      active?.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR })
  },
  traceId: (): string | null => trace.getActiveSpan()?.spanContext().traceId ?? null,
}

export type Recorder = typeof recorder
