import { z } from 'zod'
import type { StaffRole } from '../gateway/staff-roles.ts'
import type { Http } from '../http/methods.ts'
import { cursorParameter, idOf, limitParameter, TimestampInput } from '../primitives.ts'

/** The path parameters that name the owner of a log. */
export type LogParams = Readonly<Record<string, z.ZodString>>
export type LogReader = 'operator' | 'merchant'
/** Owner of a log, by the parameters of its path, and its reader. */
export type LogOwner<P extends LogParams, C extends LogReader> = Readonly<{
  params: P
  caller: C
  /** How the paths begin, and what they have in common. */
  path: string
  http: Partial<Http>
  /** Roles that staff need: to read, and to send again. */
  reads: StaffRole | undefined
  sends: StaffRole | undefined
  /** Tells the operations of staff apart by their ids: `listPartnerDeliveries`. */
  inId: 'Partner' | 'Merchant' | ''
}>

export const LOG_OF_PARTNER = {
  params: { partnerId: idOf('partner') },
  caller: 'operator',
  path: '/partners/:partnerId',
  // A partner's people see and resend what went to its webhook endpoints, in the portal.
  http: { ofPartner: true, portal: true },
  reads: 'viewer',
  sends: 'admin',
  inId: 'Partner',
} as const
export const LOG_OF_MERCHANT = {
  params: { customerId: idOf('merchant') },
  caller: 'operator',
  path: '/merchants/:customerId',
  http: { ofMerchant: true },
  reads: 'viewer',
  sends: 'admin',
  inId: 'Merchant',
} as const
/** A merchant's own: its API key names it, not the path. */
export const OWN_LOG = {
  params: {},
  caller: 'merchant',
  path: '',
  http: {},
  reads: undefined,
  sends: undefined,
  inId: '',
} as const

/** Status of a delivery (decisions §14). */
export const DeliveryStatus = z.enum(['waiting', 'delivered', 'dead'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** Status of an event at a destination: its delivery's, or `missed` if there is no delivery. */
export const EventStatus = z.enum([...DeliveryStatus.options, 'missed'])
export type EventStatus = z.infer<typeof EventStatus>

const LOGGED_WEBHOOK = /^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** A destination with a log: a webhook, or an integration's own URL by the id that it is sent (`x-webhook-id`). */
export const LoggedWebhookId = z.string().regex(LOGGED_WEBHOOK).meta({
  description: 'Identifier of a webhook, or `integration:<integrationId>` for an integration’s own URL',
})

/** Query of every list of a log: its page and period. */
export const logQuery = {
  limit: limitParameter(50, 100),
  cursor: cursorParameter,
  since: TimestampInput.optional().meta({ description: 'Earliest creation, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest creation, exclusive' }),
}
