import { z } from 'zod'
import type { RelationshipState } from '../onboarding/relationships.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { EVENT_NAMES, MerchantEvent, PartnerEventType } from './event-names.ts'
import { Fact } from './facts.ts'

/** Not parsed: checking every field of data that is only passed on takes longer than sending it. */
const Payload = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

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
  name: z.enum(EVENT_NAMES),
  created_at: Timestamp,
  partners: z.array(PartnerNotice),
  merchant: MerchantNotice.nullable(),
  fact: Fact.nullable(),
  /** Movements of money for the ledger, which alone checks them: a wrong one parks the event there and nowhere else. */
  ledger_facts: z.array(Payload).optional(),
})
export type DomainEvent = z.infer<typeof DomainEvent>
