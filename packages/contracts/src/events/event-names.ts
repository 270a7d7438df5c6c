import { z } from 'zod'
import { EVENTS, type EventDeclaration } from './declarations.ts'
import { MERCHANT_CHANNEL } from './merchant-channel.ts'

type All = typeof EVENTS
/** The names of the events that have a part. */
type NamesWith<P extends keyof EventDeclaration> = {
  [N in EventName]: All[N] extends Record<P, unknown> ? N : never
}[EventName]

export type EventName = keyof All
/** The names of the events that go to the merchant. */
export type MerchantEventName = NamesWith<'merchant'>

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

/** Every type of the partner channel, in the order of the specification (spec: Partner channel; decisions §20). */
export const PARTNER_EVENT_TYPES = EVENT_NAMES.filter(
  (name): name is NamesWith<'partner'> => 'partner' in EVENTS[name],
)
export const PartnerEventType = z.enum(PARTNER_EVENT_TYPES)
export type PartnerEventType = z.infer<typeof PartnerEventType>

const isOptIn = (type: PartnerEventType): boolean => 'isOptIn' in EVENTS[type].partner
/** Partner event types that only a destination that names them receives (decisions §48). */
export const OPT_IN_EVENT_TYPES = PARTNER_EVENT_TYPES.filter(isOptIn)
/** Partner event types that a destination with an empty list receives. */
export const DEFAULT_EVENT_TYPES = PARTNER_EVENT_TYPES.filter((type) => !isOptIn(type))

/** Every event of the merchant channel (spec: Merchant channel). */
export const MERCHANT_EVENTS = Object.keys(MERCHANT_CHANNEL) as (keyof typeof MERCHANT_CHANNEL)[]
export const MerchantEvent = z.enum(MERCHANT_EVENTS)
export type MerchantEvent = z.infer<typeof MerchantEvent>
