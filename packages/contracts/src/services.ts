const CALLED_BY_PARTNERS = ['onboarding', 'payments', 'refunds', 'webhooks', 'onramp'] as const

/** The services that requests need: the gateway is ready when they are. */
export const REQUEST_SERVICES = ['access', ...CALLED_BY_PARTNERS] as const

/** The services that every deployment runs. No request waits for the ledger (decisions §47). */
export const REQUIRED_SERVICES = [...REQUEST_SERVICES, 'ledger'] as const

/** The services behind the gateway; the signer runs where refunds of crypto orders are sent by the platform itself. */
export const SERVICES = [...REQUIRED_SERVICES, 'signer'] as const
export type ServiceName = (typeof SERVICES)[number]

/** The services that can consume events, as the API names them. */
export const EVENT_SERVICES = [...CALLED_BY_PARTNERS, 'ledger', 'signer', 'access'] as const
export type EventServiceName = (typeof EVENT_SERVICES)[number]

/** Senders of requests: the services and the gateway. */
export const SENDERS = [...SERVICES, 'gateway'] as const
export type SenderName = (typeof SENDERS)[number]

/** Name of a database, of its role, its setting and its keys. */
export type DatabaseName = Exclude<ServiceName, 'access'> | 'gateway'

/**
 * The database of a service. Access has the one that the gateway had before, under its name, to which its sealed data are
 * bound (ADR 0081).
 */
export const databaseOf = (service: ServiceName): DatabaseName => (service === 'access' ? 'gateway' : service)

/** The service that serves a subject. The operations `gateway.*` of access keep their names, as the audit log has them. */
export const receiverOf = (subject: string): string => {
  const first = subject.slice(0, subject.indexOf('.'))
  return first === 'gateway' ? 'access' : first
}
