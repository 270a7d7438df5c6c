import { z } from 'zod'
import { operation, resource } from './operation.ts'
import { Timestamp } from './primitives.ts'
import type { ServiceName } from './services.ts'

/** `<service>.health`: called by the gateway's readiness check; of access also for the time. */
export const healthOf = (service: ServiceName) =>
  resource(`${service}.health`, {
    check: operation({
      summary: 'Whether the service reaches its database',
      caller: 'public',
      /** `at`: the time by the service's database, not moved by the sandbox. */
      reply: z.object({ ready: z.literal(true), at: Timestamp.optional() }),
      refusals: ['temporarily_unavailable'],
    }),
  })
