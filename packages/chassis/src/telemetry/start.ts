import { span } from './span.ts'

export type TracingOptions = Readonly<{
  service: string
  mode: 'off' | 'spans' | 'auto'
  /** Base address of an OTLP/HTTP collector. */
  endpoint: string
}>

/** Stops the SDK, when the preload has started it already. */
let started: (() => Promise<void>) | null = null

/**
 * Starts the OpenTelemetry SDK when tracing is on. The gateway samples: it starts a root span or none, so the SDK
 * records every span that there is.
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
