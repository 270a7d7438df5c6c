import { register } from 'import-in-the-middle/register-hooks.mjs'
import { readProcessSettings } from '../config.ts'
import { startTracing } from './start.ts'

const LIBRARIES = [
  'express',
  'pg',
  'pg-pool',
  'pino',
  'undici',
  'http',
  'https',
  'node:http',
  'node:https',
  'router',
]

/** Hooks the libraries that are loaded from now on, and starts tracing: TRACING=auto. */
export const instrument = async (service: string): Promise<void> => {
  register({ include: LIBRARIES })
  const settings = readProcessSettings()
  await startTracing({
    service,
    mode: settings.TRACING,
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    jobShare: settings.TRACE_SAMPLE_RATIO,
  })
}
