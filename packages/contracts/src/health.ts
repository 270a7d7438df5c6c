import { z } from 'zod'
import { operation, resource } from './operation.ts'

/** The services behind the gateway. */
export const SERVICES = ['onboarding', 'payments', 'refunds', 'webhooks', 'onramp'] as const
export type ServiceName = (typeof SERVICES)[number]

/** `<service>.health`: asked by the gateway's readiness. */
export const healthOf = (service: ServiceName) =>
  resource(`${service}.health`, {
    check: operation({
      summary: 'Whether the service reaches its database',
      caller: 'service',
      reply: z.object({ ready: z.literal(true) }),
      refusals: ['temporarily_unavailable'],
    }),
  })
