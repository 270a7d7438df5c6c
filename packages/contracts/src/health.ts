import { z } from 'zod'
import { operation, resource } from './operation.ts'
import type { ServiceName } from './services.ts'

/** `<service>.health`: called by the gateway's readiness check. */
export const healthOf = (service: ServiceName) =>
  resource(`${service}.health`, {
    check: operation({
      summary: 'Whether the service reaches its database',
      caller: 'public',
      reply: z.object({ ready: z.literal(true) }),
      refusals: ['temporarily_unavailable'],
    }),
  })
