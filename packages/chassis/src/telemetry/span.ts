import type { Attributes } from '@opentelemetry/api'
import type { Kind, OpenSpan, Recorder } from './recorder.ts'

export type { OpenSpan }

/**
 * Our own spans of the hot path. They exist only where tracing is on and the gateway sampled the request; otherwise each
 * of these calls costs one comparison.
 */
let recorder: Recorder | null = null
let jobShare = 0

export const span = {
  /**
   * Called once at start, before anything is served.
   * @param share share of the runs of jobs that are traced, from 0 to 1
   */
  enable: (started: Recorder, share: number) => {
    recorder = started
    jobShare = share
  },
  enabled: () => recorder !== null,
  /** A child span of the active one; records nothing without an active span. */
  around: <T>(name: string, kind: Kind, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
    recorder?.hasActiveSpan() ? recorder.child(name, kind, attributes, work) : work(),
  /**
   * A client span of one HTTP request to the outside, in the active trace (OpenTelemetry, semantic conventions of HTTP).
   * The path and query are left out: addresses of nodes hold keys there.
   */
  aroundHttp: <T>(
    { method, url }: Readonly<{ method: string; url: string }>,
    statusOf: (answer: T) => number | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    const active = recorder?.hasActiveSpan() ? recorder : null
    if (active === null) return work()
    return active.child(method, 'client', serverOf(method, url), async () => {
      const answer = await work()
      const status = statusOf(answer)
      if (status !== undefined) active.describeStatus(status, 400)
      return answer
    })
  },
  /** The root span of a run that no request caused, for a share of the runs. */
  job: <T>(name: string, work: () => Promise<T>): Promise<T> =>
    recorder !== null && Math.random() < jobShare ? recorder.root(name, work) : work(),
  /** The root span of a request that the gateway has sampled; continues a caller's W3C trace context. */
  root: <T>(
    name: string,
    kind: Kind,
    attributes: Attributes,
    traceparent: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> => recorder?.continued(name, kind, attributes, traceparent, work) ?? work(),
  /** A span of a message that arrived with a W3C trace context; records nothing without one. */
  continued: <T>(
    name: string,
    kind: Kind,
    attributes: Attributes,
    traceparent: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> =>
    recorder !== null && traceparent ? recorder.continued(name, kind, attributes, traceparent, work) : work(),
  /** As `continued`, for work that ends by a callback; null where nothing is recorded. */
  start: (name: string, kind: Kind, traceparent: string, attributes: Attributes): OpenSpan | null =>
    recorder?.start(name, kind, traceparent, attributes) ?? null,
  /** The active span as a W3C `traceparent`, or null (W3C Trace Context, section 3.2). */
  traceparent: (): string | null => recorder?.traceparent() ?? null,
  /** Names the active span once its request is known. */
  describe: (name: string, attributes: Attributes): void => recorder?.describe(name, attributes),
  /** Describes how the request of the active span was answered: for a server, only 5xx is an error. */
  describeAnswer: (status: number): void => recorder?.describeStatus(status, 500),
  traceId: (): string | null => recorder?.traceId() ?? null,
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
