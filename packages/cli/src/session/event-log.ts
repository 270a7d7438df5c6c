import type { MerchantClient, PartnerClient, Schemas } from '@causeway/client'
import { usageError } from '../cli-error.ts'
import type { StaffClient } from './staff-client.ts'

export type LoggedEvent = Schemas['LoggedEvent']
export type EventWithPayload = LoggedEvent & Readonly<{ payload: Readonly<Record<string, unknown>> }>
export type EventQuery = Readonly<{ event_type?: string; status?: Schemas['EventStatus'] }>
export type DeliveryQuery = Readonly<{ event_type?: string; status?: Schemas['DeliveryStatus'] }>
export type Webhook = Readonly<{ webhookId: string; url: string }>

/** The events of a partner or a merchant, and what became of them, newest first. */
export type EventLog = Readonly<{
  /** Such as `partner prt_…`. */
  whose: string
  newest: () => Promise<LoggedEvent | null>
  events: (query: EventQuery) => AsyncIterable<LoggedEvent>
  event: (eventId: string) => Promise<EventWithPayload>
  /** The events that a webhook would have taken, had it been there. */
  missed: (webhookId: string) => AsyncIterable<LoggedEvent>
  resend: (webhookId: string, eventId: string) => Promise<Schemas['Delivery']>
  deliveries: (webhookId: string, query: DeliveryQuery) => AsyncIterable<Schemas['Delivery']>
  webhooks: () => AsyncIterable<Webhook>
}>

const MISSED = { status: 'missed' } as const

/** Event log of a partner, read by staff. */
export const partnerLog = (staff: StaffClient, partnerId: string): EventLog => ({
  whose: `partner ${partnerId}`,
  newest: async () => (await staff.listPartnerEvents({ partnerId, limit: 1 })).events[0] ?? null,
  events: (query) => staff.listPartnerEvents.all({ partnerId, ...query }),
  event: async (eventId) => (await staff.getPartnerEvent({ partnerId, eventId })).event,
  missed: (webhookId) => staff.listPartnerWebhookEvents.all({ partnerId, webhookId, ...MISSED }),
  resend: async (webhookId, eventId) =>
    (await staff.resendPartnerEvent({ partnerId, webhookId, eventId })).delivery,
  deliveries: (webhookId, query) => staff.listPartnerDeliveries.all({ partnerId, webhookId, ...query }),
  async *webhooks() {
    for await (const { webhook_id: webhookId, url } of staff.listPartnerWebhooks.all({ partnerId }))
      yield { webhookId, url }
  },
})

/** Event log of a partner, read with its own client. */
export const ownPartnerLog = (partner: PartnerClient): EventLog => ({
  whose: 'the partner',
  newest: async () => (await partner.listEndpointEvents({ limit: 1 })).events[0] ?? null,
  events: (query) => partner.listEndpointEvents.all(query),
  event: async (eventId) => (await partner.getEndpointEvent({ eventId })).event,
  missed: (webhookId) => partner.listEndpointWebhookEvents.all({ webhookId, ...MISSED }),
  resend: async (webhookId, eventId) => (await partner.resendEndpointEvent({ webhookId, eventId })).delivery,
  deliveries: (webhookId, query) => partner.listEndpointDeliveries.all({ webhookId, ...query }),
  async *webhooks() {
    for await (const { webhook_id: webhookId, url } of partner.listWebhookEndpoints.all())
      yield { webhookId, url }
  },
})

/** Event log of a merchant, read with its API key. */
export const merchantLog = (merchant: MerchantClient): EventLog => ({
  whose: 'the merchant',
  newest: async () => (await merchant.listEvents({ limit: 1 })).events[0] ?? null,
  events: (query) => merchant.listEvents.all(query),
  event: async (eventId) => (await merchant.getEvent({ eventId })).event,
  missed: (webhookId) => merchant.listWebhookEvents.all({ webhookId, ...MISSED }),
  resend: async (webhookId, eventId) => (await merchant.resendEvent({ webhookId, eventId })).delivery,
  deliveries: (webhookId, query) => merchant.listDeliveries.all({ webhookId, ...query }),
  async *webhooks() {
    for await (const { id: webhookId, url } of merchant.listWebhooks.all()) yield { webhookId, url }
  },
})

/** Event log of a merchant, read by staff, who cannot list its webhooks. */
export const merchantLogOfStaff = (staff: StaffClient, customerId: string): EventLog => ({
  whose: `merchant ${customerId}`,
  newest: async () => (await staff.listMerchantEvents({ customerId, limit: 1 })).events[0] ?? null,
  events: (query) => staff.listMerchantEvents.all({ customerId, ...query }),
  event: async (eventId) => (await staff.getMerchantEvent({ customerId, eventId })).event,
  missed: (webhookId) => staff.listMerchantWebhookEvents.all({ customerId, webhookId, ...MISSED }),
  resend: async (webhookId, eventId) =>
    (await staff.resendMerchantEvent({ customerId, webhookId, eventId })).delivery,
  deliveries: (webhookId, query) => staff.listMerchantDeliveries.all({ customerId, webhookId, ...query }),
  webhooks: () => {
    throw usageError('Name the webhook: --webhook whk_… (only the merchant’s own key can list them)')
  },
})
