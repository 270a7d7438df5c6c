import { randomUUID } from 'node:crypto'
import { VERSION } from '../version.ts'
import { span } from './span.ts'

export type TracingOptions = Readonly<{
  service: string
  mode: 'off' | 'spans' | 'auto'
  /** Base address of an OTLP/HTTP collector. */
  endpoint: string
  /** Share of the runs of jobs that are traced, from 0 to 1. */
  jobShare: number
}>

/** Stops the SDK; set once it has started. */
let started: (() => Promise<void>) | null = null

/**
 * Starts the OpenTelemetry SDK when tracing is on. The SDK records every span that there is: the gateway starts a root
 * span for a share of the requests, and each process one for a share of the runs of its jobs.
 * @returns how to flush and stop
 */
export const startTracing = async (options: TracingOptions): Promise<() => Promise<void>> => {
  if (options.mode === 'off') return async () => {}
  if (started) return started
  const [{ recorder }, { NodeSDK }, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('./recorder.ts'),
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const sdk = new NodeSDK({
    serviceName: options.service,
    resource: resourceFromAttributes({
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
    }),
    traceExporter: new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` }),
    instrumentations: options.mode === 'auto' ? await autoInstrumentations() : [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  span.enable(recorder, options.jobShare)
  started = () => sdk.shutdown()
  return started
}

/** Checks whether a request delivers a webhook. */
const isDelivery = ({ headers }: Readonly<{ headers: string | (string | string[])[] }>): boolean =>
  headers.includes('x-webhook-event-id')

const autoInstrumentations = async () => {
  const { getNodeAutoInstrumentations } = await import('@opentelemetry/auto-instrumentations-node')
  const off = { enabled: false }
  return getNodeAutoInstrumentations({
    '@opentelemetry/instrumentation-router': off,
    '@opentelemetry/instrumentation-fs': off,
    '@opentelemetry/instrumentation-dns': off,
    '@opentelemetry/instrumentation-net': off,
    // A delivery has a span already, without its path: receivers keep secrets there. Its bytes stay those we document.
    '@opentelemetry/instrumentation-undici': { ignoreRequestHook: isDelivery },
  })
}
