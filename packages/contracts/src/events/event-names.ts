import type { ServiceName } from '../services.ts'

/**
 * Every domain event by its name and the service that alone emits it: the stream's subjects
 * `events.<service>.<name>`, which the bus lets only that service publish (decisions §19).
 */
export const EVENT_NAMES = {
  'relationship.changed': 'onboarding',
  'customer.updated': 'onboarding',
  'verification.pending': 'onboarding',
  'verification.approved': 'onboarding',
  'verification.rejected': 'onboarding',
  'agreement.accepted': 'onboarding',
  'document.reviewed': 'onboarding',
  'capability.updated': 'onboarding',
  'requirement.created': 'onboarding',
  'requirement.resolved': 'onboarding',
  'integration.changed': 'payments',
  'dispute_standing.changed': 'payments',
  'payment.pending': 'payments',
  'payment.confirmed': 'payments',
  'payment.underpaid': 'payments',
  'payment.reverted': 'payments',
  'payment.expired': 'payments',
  'payment.cancelled': 'payments',
  'payment.refunded': 'payments',
  'payment.chargeback': 'payments',
  'payment.late': 'payments',
  'deposit.moved': 'payments',
  'payout.upcoming': 'payments',
  'payout.sent': 'payments',
  'risk.alert': 'payments',
  'refund.completed': 'refunds',
  'ramping.status_changed': 'onramp',
  'ramping.kyc_pending': 'onramp',
} as const satisfies Readonly<Record<string, ServiceName>>
export type EventName = keyof typeof EVENT_NAMES
