import type { DomainEvent, Fact, MerchantEvent, PartnerEventType } from './event.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'
import type { ServiceName } from '../services.ts'

/** Which service alone may tell partners of a thing (decisions §19). A type without an owner does not compile. */
export const PARTNER_EVENT_OWNERS: Readonly<Record<PartnerEventType, ServiceName>> = {
  'customer.updated': 'onboarding',
  'verification.pending': 'onboarding',
  'verification.approved': 'onboarding',
  'verification.rejected': 'onboarding',
  'agreement.accepted': 'onboarding',
  'document.reviewed': 'onboarding',
  'capability.updated': 'onboarding',
  'requirement.created': 'onboarding',
  'requirement.resolved': 'onboarding',
  'payment.pending': 'payments',
  'payment.confirmed': 'payments',
  'payment.underpaid': 'payments',
  'payment.expired': 'payments',
  'payment.cancelled': 'payments',
  'payment.refunded': 'payments',
  'payment.chargeback': 'payments',
  'refund.completed': 'refunds',
}

/** Which service alone may tell merchants of a thing. */
export const MERCHANT_EVENT_OWNERS: Readonly<Record<MerchantEvent, ServiceName>> = {
  test: 'webhooks',
  pending: 'payments',
  paid: 'payments',
  underpaid: 'payments',
  cancelled: 'payments',
  expired: 'payments',
  refunded: 'payments',
  payout_upcoming: 'payments',
  payout_sent: 'payments',
  chargeback: 'payments',
  risk_alert: 'payments',
  'ramping.status_changed': 'onramp',
  'ramping.kyc_pending': 'onramp',
}

/** Which service alone may state a fact. */
export const FACT_OWNERS: Readonly<Record<Fact['kind'], ServiceName>> = {
  relationship: 'onboarding',
  integration: 'payments',
  late_payment: 'payments',
  refund: 'payments',
  dispute_standing: 'payments',
}

/** The names of the events that a service emits. */
export const eventNamesOf = (service: ServiceName): EventName[] =>
  (Object.keys(EVENT_NAMES) as EventName[]).filter((name) => EVENT_NAMES[name] === service)

/** Subject of an event on the stream; each name has one. */
export const eventSubject = (name: EventName): string => `events.${EVENT_NAMES[name]}.${name}`

/**
 * What of an event is not its service's to say: its name, a partner's or the merchant's type, or its fact.
 * @returns null when the service owns all of it
 */
export const foreignPartOf = (service: ServiceName, event: DomainEvent): string | null => {
  if (EVENT_NAMES[event.name] !== service) return event.name
  const partner = event.partners.find(({ type }) => PARTNER_EVENT_OWNERS[type] !== service)
  if (partner) return partner.type
  const { merchant, fact } = event
  if (merchant && MERCHANT_EVENT_OWNERS[merchant.event] !== service) return merchant.event
  if (merchant && merchant.body.event !== merchant.event) return merchant.body.event
  if (fact && FACT_OWNERS[fact.kind] !== service) return fact.kind
  return null
}
