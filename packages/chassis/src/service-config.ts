import type { BusTls } from './bus/server-address.ts'
import { ConfigError, type NATS_TLS_SETTINGS, type SERVICE_SETTINGS, type Settings } from './config.ts'
import type { ServiceConfig } from './process.ts'

/** @throws ConfigError when the certificate or its key is missing */
export const toBusTls = (settings: Settings<typeof NATS_TLS_SETTINGS>): BusTls => {
  const { NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = settings
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new ConfigError('Bad settings: NATS_CERT_FILE and NATS_KEY_FILE go together')
  return { caFile, certFile, keyFile }
}

/** What a service stands on, from its settings: its own table includes `SERVICE_SETTINGS`. */
export const toServiceConfig = (
  settings: Settings<typeof SERVICE_SETTINGS>,
  databaseUrl: string,
): ServiceConfig => ({
  databaseUrl,
  natsUrl: settings.NATS_URL,
  natsTls: toBusTls(settings),
  natsStreamUser: settings.NATS_STREAM_USER,
  busKeys: settings.BUS_KEYS,
  logLevel: settings.LOG_LEVEL,
  healthHost: settings.HEALTH_HOST,
  healthPort: settings.HEALTH_PORT,
  poolSize: settings.DATABASE_POOL_SIZE,
  pipelinedConnections: settings.DATABASE_LANES,
  tracing: settings.TRACING,
  followsSandboxClock: settings.SANDBOX_CLOCK,
  traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
})
