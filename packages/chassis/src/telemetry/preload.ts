/**
 * Loaded by `node --import` before anything else when TRACING=auto: instrumented libraries must be hooked before
 * they are first imported. Without this preload TRACING=auto records our own spans alone.
 */
import { register } from 'import-in-the-middle/register-hooks.mjs'
import { basename, dirname } from 'node:path'
import { readProcessSettings } from '../config.ts'
import { startTracing } from './start.ts'

register({
  include: [
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
  ],
})

const settings = readProcessSettings()
/** `services/payments/src/main.ts` → `payments`. */
const service = basename(dirname(dirname(process.argv[1] ?? '')))
await startTracing({ service, mode: settings.TRACING, endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT })
