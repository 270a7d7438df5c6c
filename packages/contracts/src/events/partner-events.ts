import { z } from 'zod'
import { Capability } from '../onboarding/capabilities.ts'
import { RelationshipStatus } from '../onboarding/customers.ts'
import { UploadedDocumentType } from '../onboarding/documents.ts'
import { FiatOrderStatus, OrderKey } from '../payments/fiat-orders.ts'
import { CryptoOrderStatus } from '../payments/crypto-orders.ts'
import { Asset, Network } from '../payments/networks.ts'
import { DecimalString, idOf, Timestamp } from '../primitives.ts'
import { Requirement } from '../onboarding/requirements.ts'
import { VerificationRejectionReason } from '../onboarding/verifications.ts'

/** Every `data` names the customer that the event concerns. */
const about = { partner_customer_id: idOf('relationship') }
const ofMerchant = { ...about, customer_id: idOf('merchant') }

/** `data` of a payment event of a crypto order (spec: Partner channel). Null: unknown at the time of the event. */
export const CryptoPaymentData = z.strictObject({
  ...about,
  rail: z.literal('crypto'),
  order_id: idOf('cryptoOrder'),
  status: CryptoOrderStatus,
  reference: z.string(),
  chain: Network,
  asset: Asset,
  amount: DecimalString,
  currency: z.string(),
  tx_id: z.string().nullable(),
  block_number: z.number().int().nullable(),
  received: DecimalString.nullable(),
})

/** `data` of a payment event of a card order (spec: Partner channel). */
export const FiatPaymentData = z.strictObject({
  ...about,
  rail: z.literal('fiat'),
  order_id: idOf('fiatOrder'),
  order_key: OrderKey,
  merchant_reference: z.string().nullable(),
  status: FiatOrderStatus,
  currency: z.string(),
  total_cents: z.number().int(),
})

const event = <const Types extends readonly [string, ...string[]], Data extends z.ZodType>(
  types: Types,
  data: Data,
) =>
  z.strictObject({
    event_id: idOf('event'),
    event_type: z.enum(types),
    created_at: Timestamp,
    partner_id: idOf('partner'),
    data,
  })

const verification = { ...about, verification_id: idOf('verification') }

/** Body of a delivery to a partner, by `event_type` (spec: Partner channel). */
export const PARTNER_EVENTS = {
  CustomerUpdated: event(
    ['customer.updated'],
    z.strictObject({ ...ofMerchant, relationship_status: RelationshipStatus }),
  ),
  VerificationMoved: event(
    ['verification.pending', 'verification.approved'],
    z.strictObject({ ...verification, status: z.enum(['pending', 'approved']) }),
  ),
  VerificationRejected: event(
    ['verification.rejected'],
    z.strictObject({
      ...verification,
      status: z.literal('rejected'),
      rejection_reason: VerificationRejectionReason.nullable(),
    }),
  ),
  AgreementAccepted: event(
    ['agreement.accepted'],
    z.strictObject({
      ...ofMerchant,
      acceptance_id: idOf('acceptance'),
      agreement_id: idOf('agreement'),
      agreement_version: z.string(),
    }),
  ),
  DocumentReviewed: event(
    ['document.reviewed'],
    z.strictObject({
      ...ofMerchant,
      document_id: idOf('document'),
      document_type: UploadedDocumentType,
      status: z.enum(['accepted', 'rejected']),
    }),
  ),
  CapabilityUpdated: event(['capability.updated'], z.strictObject({ ...about, ...Capability.shape })),
  RequirementChanged: event(
    ['requirement.created', 'requirement.resolved'],
    z.strictObject({ ...about, ...Requirement.shape }),
  ),
  PaymentChanged: event(
    [
      'payment.pending',
      'payment.confirmed',
      'payment.underpaid',
      'payment.reverted',
      'payment.expired',
      'payment.cancelled',
      'payment.refunded',
      'payment.chargeback',
    ],
    z.discriminatedUnion('rail', [CryptoPaymentData, FiatPaymentData]),
  ),
  RefundCompleted: event(
    ['refund.completed'],
    z.strictObject({
      ...about,
      refund_id: idOf('refund'),
      order_id: idOf('fiatOrder'),
      order_key: OrderKey,
      status: z.literal('succeeded'),
    }),
  ),
} as const

/** The body of a delivery on the partner channel. */
export const PartnerEvent = z.discriminatedUnion('event_type', [
  PARTNER_EVENTS.CustomerUpdated,
  PARTNER_EVENTS.VerificationMoved,
  PARTNER_EVENTS.VerificationRejected,
  PARTNER_EVENTS.AgreementAccepted,
  PARTNER_EVENTS.DocumentReviewed,
  PARTNER_EVENTS.CapabilityUpdated,
  PARTNER_EVENTS.RequirementChanged,
  PARTNER_EVENTS.PaymentChanged,
  PARTNER_EVENTS.RefundCompleted,
])
