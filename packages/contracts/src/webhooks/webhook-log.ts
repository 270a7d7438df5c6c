import { z } from 'zod'
import type { StaffRole } from '../gateway/staff-roles.ts'
import type { Tag } from '../http/chapters.ts'
import type { Http } from '../http/methods.ts'
import { cursorParameter, idOf, limitParameter, TimestampInput } from '../primitives.ts'

/** The path parameters that name the owner of a log. */
export type LogParams = Readonly<Record<string, z.ZodString>>
export type LogReader = 'operator' | 'merchant' | 'partner'
/** Owner of a log, by the parameters of its path, and its reader. */
export type LogOwner<P extends LogParams, C extends LogReader> = Readonly<{
  params: P
  caller: C
  /** How the paths of the log and of the destinations begin. */
  path: string
  destinations: string
  /** Options of the paths: of reads, and of operations that send again. */
  readHttp: Partial<Http>
  sendHttp: Partial<Http>
  /** True: the audit log has what was sent again. It always has what staff do. */
  audited: boolean
  tag: Tag
  /** Roles that staff need: to read, and to send again. */
  reads: StaffRole | undefined
  sends: StaffRole | undefined
  /** Tells the operations of staff apart by their ids: `listPartnerDeliveries`. */
  inId: 'Partner' | 'Merchant' | 'Endpoint' | ''
}>

export const LOG_OF_PARTNER = {
  params: { partnerId: idOf('partner') },
  caller: 'operator',
  path: '/partners/:partnerId',
  destinations: '/partners/:partnerId/webhooks',
  // A partner's people see and resend what went to its webhook endpoints, in the portal.
  readHttp: { ofPartner: true, portal: true },
  sendHttp: { ofPartner: true, portal: true },
  audited: false,
  tag: 'Webhook log',
  reads: 'viewer',
  sends: 'admin',
  inId: 'Partner',
} as const
export const LOG_OF_MERCHANT = {
  params: { customerId: idOf('merchant') },
  caller: 'operator',
  path: '/merchants/:customerId',
  destinations: '/merchants/:customerId/webhooks',
  readHttp: { ofMerchant: true },
  sendHttp: { ofMerchant: true },
  audited: false,
  tag: 'Webhook log',
  reads: 'viewer',
  sends: 'admin',
  inId: 'Merchant',
} as const
/** A merchant's own: its API key names it, not the path. */
export const OWN_LOG = {
  params: {},
  caller: 'merchant',
  path: '',
  destinations: '/webhooks',
  readHttp: {},
  sendHttp: {},
  audited: false,
  tag: 'Webhook log',
  reads: undefined,
  sends: undefined,
  inId: '',
} as const
/** A partner's own: its token names it. */
export const LOG_OF_ENDPOINTS = {
  params: {},
  caller: 'partner',
  path: '',
  destinations: '/webhook-endpoints',
  readHttp: { scopes: ['webhooks:read'] },
  sendHttp: { scopes: ['webhooks:write'] },
  audited: true,
  tag: 'Partner webhooks',
  reads: undefined,
  sends: undefined,
  inId: 'Endpoint',
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
