import { z } from 'zod'
import { DisputeThresholdStatus } from '../payments/chargebacks.ts'
import { EVENT_NAMES, type EventName } from './event-names.ts'
import { IntegrationState } from '../payments/integrations.ts'
import { DepositMove } from '../payments/deposit-moves.ts'
import { LatePayment } from '../payments/late-payments.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { CountedRefund } from '../payments/refundable-orders.ts'
import { RelationshipState } from '../onboarding/relationships.ts'

/** Every type of the partner channel, in the order of the specification (spec: Partner channel; decisions §20). */
export const PARTNER_EVENT_TYPES = [
  'customer.updated',
  'verification.pending',
  'verification.approved',
  'verification.rejected',
  'agreement.accepted',
  'document.reviewed',
  'capability.updated',
  'requirement.created',
  'requirement.resolved',
  'payment.pending',
  'payment.confirmed',
  'payment.underpaid',
  'payment.reverted',
  'payment.expired',
  'payment.cancelled',
  'payment.refunded',
  'payment.chargeback',
  'refund.completed',
] as const
export const PartnerEventType = z.enum(PARTNER_EVENT_TYPES)
export type PartnerEventType = z.infer<typeof PartnerEventType>

/** Every event of the merchant channel (spec: Merchant channel). */
export const MERCHANT_EVENTS = [
  'test',
  'pending',
  'paid',
  'underpaid',
  'reverted',
  'cancelled',
  'expired',
  'refunded',
  'payout_upcoming',
  'payout_sent',
  'chargeback',
  'risk_alert',
  'ramping.status_changed',
  'ramping.kyc_pending',
] as const
export const MerchantEvent = z.enum(MERCHANT_EVENTS)
export type MerchantEvent = z.infer<typeof MerchantEvent>

/** Not parsed: checking every field of data that is only passed on takes longer than sending it. */
const Payload = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

const EventNames = z.enum(Object.keys(EVENT_NAMES) as [EventName, ...EventName[]])

/** One partner's copy of an event: some fields of `data` depend on the reader. */
export const PartnerNotice = z.object({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  type: PartnerEventType,
  data: Payload,
})
export type PartnerNotice = z.infer<typeof PartnerNotice>

/** The event for the merchant's own receivers. */
export const MerchantNotice = z.object({
  merchant_id: idOf('merchant'),
  /** The originating integration; null for crypto, invoice and ramping events (wildcards only). */
  integration_id: idOf('integration').nullable(),
  event: MerchantEvent,
  /** The whole body, or `event` alone where `sealed_body` holds the rest. */
  body: z.looseObject({ event: MerchantEvent }),
  /** The body in JSON, sealed for webhooks alone: it names the payer's address (ADR 0044). */
  sealed_body: z.string().optional(),
})
export type MerchantNotice = z.infer<typeof MerchantNotice>

/** A fact that other services project. Never delivered outside. */
export const Fact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('relationship'), relationship: RelationshipState }),
  z.object({ kind: z.literal('integration'), integration: IntegrationState }),
  z.object({ kind: z.literal('late_payment'), late_payment: LatePayment }),
  z.object({ kind: z.literal('deposit_move'), deposit_move: DepositMove }),
  z.object({ kind: z.literal('refund'), refund: CountedRefund }),
  // Stored events have these two names: they cannot be changed.
  z.object({ kind: z.literal('dispute_standing'), standing: DisputeThresholdStatus }),
])
export type Fact = z.infer<typeof Fact>

/** The relationship that an event is about, or null. */
export const relationshipOf = (event: Pick<DomainEvent, 'fact'>): RelationshipState | null =>
  event.fact?.kind === 'relationship' ? event.fact.relationship : null

/**
 * A domain event as it travels on the stream EVENTS, subject `events.<service>.<name>`.
 * `id` is the `event_id` of every delivery made of it and its `Nats-Msg-Id`.
 */
export const DomainEvent = z.object({
  id: idOf('event'),
  /**
   * Its number in its service's outbox: of two events of one object the later change has the higher one (decisions §40).
   * The relay adds it; one of the version before does not.
   */
  sequence: z.number().int().positive().optional(),
  name: EventNames,
  created_at: Timestamp,
  partners: z.array(PartnerNotice),
  merchant: MerchantNotice.nullable(),
  fact: Fact.nullable(),
  /** Movements of money for the ledger, which alone checks them: a wrong one parks the event there and nowhere else. */
  ledger_facts: z.array(Payload).optional(),
})
export type DomainEvent = z.infer<typeof DomainEvent>
