import type { SERVICE_SETTINGS, Settings } from './config.ts'
import type { ServiceConfig } from './service.ts'

/** What a service stands on, from its settings: its own table includes `SERVICE_SETTINGS`. */
export const toServiceConfig = (
  settings: Settings<typeof SERVICE_SETTINGS>,
  databaseUrl: string,
): ServiceConfig => ({
  databaseUrl,
  natsUrl: settings.NATS_URL,
  logLevel: settings.LOG_LEVEL,
  healthHost: settings.HEALTH_HOST,
  healthPort: settings.HEALTH_PORT,
  poolSize: settings.DATABASE_POOL_SIZE,
  lanes: settings.DATABASE_LANES,
  tracing: settings.TRACING,
  followsSandboxClock: settings.SANDBOX_CLOCK,
  traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
})
