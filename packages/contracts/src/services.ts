/** The services behind the gateway. */
export const SERVICES = ['onboarding', 'payments', 'refunds', 'webhooks', 'onramp'] as const
export type ServiceName = (typeof SERVICES)[number]
