import { span } from './span.ts'

export type TracingOptions = Readonly<{
  service: string
  mode: 'off' | 'spans' | 'auto'
  /** Base address of an OTLP/HTTP collector. */
  endpoint: string
}>

/** How to stop what the preload has started already. */
let started: (() => Promise<void>) | null = null

/**
 * Starts the OpenTelemetry SDK when tracing is on. The sampling decision is the edge's own (the gateway starts a
 * root span or none), so the SDK records whatever it is given.
 * @returns how to flush and stop
 */
export const startTracing = async (options: TracingOptions): Promise<() => Promise<void>> => {
  if (options.mode === 'off') return async () => {}
  if (started) return started
  const [{ NodeSDK }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const sdk = new NodeSDK({
    serviceName: options.service,
    traceExporter: new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` }),
    instrumentations: options.mode === 'auto' ? await autoInstrumentations() : [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  span.enable()
  started = () => sdk.shutdown()
  return started
}

const autoInstrumentations = async () => {
  const { getNodeAutoInstrumentations } = await import('@opentelemetry/auto-instrumentations-node')
  const off = { enabled: false }
  return getNodeAutoInstrumentations({
    '@opentelemetry/instrumentation-router': off,
    '@opentelemetry/instrumentation-fs': off,
    '@opentelemetry/instrumentation-dns': off,
    '@opentelemetry/instrumentation-net': off,
  })
}
