import { createClientOf, type ClientOptions, type OperationRow, type Schemas } from '@causeway/client'

type Call<Input, Data> = (input: Input) => Promise<Data>
type List<Input, Data, Item> = Call<Input, Data> &
  Readonly<{ all: (input: Input) => AsyncIterableIterator<Item> }>

type OfPartner = Readonly<{ partnerId: string }>
type OfMerchant = Readonly<{ customerId: string }>
type LogQuery = Readonly<{ limit?: number; event_type?: string; status?: string }>
type EventWithPayload = Schemas['LoggedEvent'] & Readonly<{ payload: Readonly<Record<string, unknown>> }>
type PartnerWebhookMade = Readonly<{ webhook: Schemas['PartnerWebhook']; webhook_secret: string }>
type Resent = Readonly<{ delivery: Schemas['Delivery'] }>
type Verified = Readonly<{ verification: Schemas['Verification'] }>
type OfRelationship = Readonly<{ partnerCustomerId: string }>

/** `refund` is there where the platform has a signer, which sends it. */
type OrderRefund = Readonly<{
  order: Schemas['CryptoOrder']
  to_address: string
  refunded_at: string | null
  refund?: Readonly<{ status: string; tx_id: string | null; amount: string; failure: string | null }>
}>

/** The operations of staff that this program uses, as `/openapi.operator.json` describes them. */
export type StaffClient = Readonly<{
  listPartners: List<{ limit?: number }, unknown, { partner_id: string; name: string }>
  createPartnerWebhook: Call<
    OfPartner & { body: { url: string; event_types?: readonly string[] } },
    PartnerWebhookMade
  >
  listPartnerWebhooks: List<OfPartner, unknown, Schemas['PartnerWebhook']>
  deletePartnerWebhook: Call<OfPartner & { webhookId: string }, unknown>
  listPartnerEvents: List<OfPartner & LogQuery, Schemas['LoggedEventList'], Schemas['LoggedEvent']>
  getPartnerEvent: Call<OfPartner & { eventId: string }, { event: EventWithPayload }>
  listPartnerWebhookEvents: List<
    OfPartner & LogQuery & { webhookId: string },
    Schemas['LoggedEventList'],
    Schemas['LoggedEvent']
  >
  resendPartnerEvent: Call<OfPartner & { webhookId: string; eventId: string }, Resent>
  listPartnerDeliveries: List<OfPartner & LogQuery & { webhookId: string }, unknown, Schemas['Delivery']>
  listMerchantEvents: List<OfMerchant & LogQuery, Schemas['LoggedEventList'], Schemas['LoggedEvent']>
  getMerchantEvent: Call<OfMerchant & { eventId: string }, { event: EventWithPayload }>
  listMerchantWebhookEvents: List<
    OfMerchant & LogQuery & { webhookId: string },
    Schemas['LoggedEventList'],
    Schemas['LoggedEvent']
  >
  resendMerchantEvent: Call<OfMerchant & { webhookId: string; eventId: string }, Resent>
  listMerchantDeliveries: List<OfMerchant & LogQuery & { webhookId: string }, unknown, Schemas['Delivery']>
  createMerchantApiKey: Call<OfMerchant, { api_key: string }>
  listMerchantApiKeys: Call<OfMerchant, { api_keys: { key_id: string; hint: string | null }[] }>
  revokeMerchantApiKey: Call<OfMerchant & { keyId: string }, unknown>
  approveCase: Call<{ verificationId: string }, Verified>
  rejectCase: Call<{ verificationId: string; body: { rejection_reason?: string } }, Verified>
  reviewDocument: Call<{ documentId: string; body: { status: string; rejection_reason?: string } }, unknown>
  setCapability: Call<OfRelationship & { capability: string; body: { enabled: boolean } }, unknown>
  revokeRelationship: Call<OfRelationship, unknown>
  reinstateRelationship: Call<OfRelationship, unknown>
  recordCryptoRefund: Call<{ orderId: string; body: { to_address: string } }, OrderRefund>
  announcePayout: Call<
    {
      body: {
        customer_id: string
        partner_customer_id?: string
        amount_cents: number
        currency: string
        scheduled_for: string
      }
    },
    { payout: { payout_id: string } }
  >
  markPayoutSent: Call<{ payoutId: string }, unknown>
  markPayoutReturned: Call<{ payoutId: string; body: { reason: string } }, unknown>
  confirmPayoutWallet: Call<{ payoutWalletId: string }, unknown>
}>

const partner = '/api/operator/partners/{partnerId}'
const merchant = '/api/operator/merchants/{customerId}'
const relationship = '/api/operator/customers/{partnerCustomerId}'
const verification = '/api/operator/verifications/{verificationId}'
const paged = (items: string) => ({ items })

export const STAFF_OPERATIONS: Readonly<Record<keyof StaffClient, OperationRow>> = {
  listPartners: ['GET', '/api/operator/partners', paged('partners')],
  createPartnerWebhook: ['POST', `${partner}/webhooks`],
  listPartnerWebhooks: ['GET', `${partner}/webhooks`, paged('webhooks')],
  deletePartnerWebhook: ['DELETE', `${partner}/webhooks/{webhookId}`],
  listPartnerEvents: ['GET', `${partner}/webhook-events`, paged('events')],
  getPartnerEvent: ['GET', `${partner}/webhook-events/{eventId}`],
  listPartnerWebhookEvents: ['GET', `${partner}/webhooks/{webhookId}/events`, paged('events')],
  resendPartnerEvent: ['POST', `${partner}/webhooks/{webhookId}/events/{eventId}/resend`],
  listPartnerDeliveries: ['GET', `${partner}/webhooks/{webhookId}/deliveries`, paged('deliveries')],
  listMerchantEvents: ['GET', `${merchant}/webhook-events`, paged('events')],
  getMerchantEvent: ['GET', `${merchant}/webhook-events/{eventId}`],
  listMerchantWebhookEvents: ['GET', `${merchant}/webhooks/{webhookId}/events`, paged('events')],
  resendMerchantEvent: ['POST', `${merchant}/webhooks/{webhookId}/events/{eventId}/resend`],
  listMerchantDeliveries: ['GET', `${merchant}/webhooks/{webhookId}/deliveries`, paged('deliveries')],
  createMerchantApiKey: ['POST', `${merchant}/api-keys`],
  listMerchantApiKeys: ['GET', `${merchant}/api-keys`],
  revokeMerchantApiKey: ['DELETE', `${merchant}/api-keys/{keyId}`],
  approveCase: ['POST', `${verification}/approve`],
  rejectCase: ['POST', `${verification}/reject`],
  reviewDocument: ['POST', '/api/operator/documents/{documentId}/review'],
  setCapability: ['PUT', `${relationship}/capabilities/{capability}`],
  revokeRelationship: ['POST', `${relationship}/revoke`],
  reinstateRelationship: ['POST', `${relationship}/reinstate`],
  recordCryptoRefund: ['POST', '/api/operator/orders/{orderId}/refund'],
  announcePayout: ['POST', '/api/operator/payouts', { keyed: true }],
  markPayoutSent: ['POST', '/api/operator/payouts/{payoutId}/sent'],
  markPayoutReturned: ['POST', '/api/operator/payouts/{payoutId}/returned'],
  confirmPayoutWallet: ['POST', '/api/operator/payout-wallets/{payoutWalletId}/confirm'],
}

/** A client of the operator API with a key of staff. */
export const createStaffClient = (options: ClientOptions, staffKey: string): StaffClient =>
  createClientOf(
    { ...options, header: ['authorization', `Bearer ${staffKey}`] },
    STAFF_OPERATIONS,
  ) as StaffClient
