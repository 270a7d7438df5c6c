/** The services that requests need: the gateway is ready when they are. */
export const REQUEST_SERVICES = ['onboarding', 'payments', 'refunds', 'webhooks', 'onramp'] as const

/** The services that every deployment runs. No request waits for the ledger (decisions §47). */
export const REQUIRED_SERVICES = [...REQUEST_SERVICES, 'ledger'] as const

/** The services behind the gateway; the signer runs where refunds of crypto orders are sent by the platform itself. */
export const SERVICES = [...REQUIRED_SERVICES, 'signer'] as const
export type ServiceName = (typeof SERVICES)[number]

/** Senders of requests: the services and the gateway. */
export const SENDERS = [...SERVICES, 'gateway'] as const
export type SenderName = (typeof SENDERS)[number]
