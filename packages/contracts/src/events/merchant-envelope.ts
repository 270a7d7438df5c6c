import { z } from 'zod'
import { idOf, Timestamp } from '../primitives.ts'

/**
 * Fields that the webhooks service adds to every body of the merchant channel (decisions §40). Absent only in events
 * that a version without them has stored.
 */
export const MERCHANT_ENVELOPE = {
  /** Identical in all retries and redeliveries of the event, and at all webhooks. */
  eventId: idOf('event').optional(),
  occurredAt: Timestamp.optional(),
  /** Of two events of one object the one of the later change has the higher number; numbers in between may be missing. */
  sequence: z.number().int().positive().optional(),
} as const
