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
  /** Grows with every change of an object: the higher number is the later event. Numbers can be missing in between. */
  sequence: z.number().int().positive().optional(),
} as const
