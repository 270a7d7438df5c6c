import { DEFAULT_EVENT_TYPES, PARTNER_EVENT_TYPES, type PartnerEventType } from '@causeway/contracts'

/** Kind of a destination's owner, a partner or a merchant: each channel has separate events and a separate retry schedule. */
export type Channel = 'partner' | 'merchant'

/** Type of the event that a test call sends. */
export const TEST_EVENT = 'test'

/** An empty list means every type that need not be named; replies have the explicit list (spec: Partner webhook subscription). */
export const explicitEventTypes = (stored: readonly string[]): PartnerEventType[] =>
  stored.length === 0 ? [...DEFAULT_EVENT_TYPES] : PARTNER_EVENT_TYPES.filter((type) => stored.includes(type))
