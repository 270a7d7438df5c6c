import { z } from 'zod'
import { Capability } from '../onboarding/capabilities.ts'
import { RelationshipStatus } from '../onboarding/customers.ts'
import { UploadedDocumentType } from '../onboarding/documents.ts'
import { FiatOrderStatus, OrderKey } from '../payments/fiat-orders.ts'
import { CryptoOrderStatus } from '../payments/crypto-orders.ts'
import { Asset, Network } from '../payments/networks.ts'
import { PayoutWalletKind, PayoutWalletStatus } from '../ledger/payout-wallets.ts'
import { CustomerPayout } from '../ledger/payouts.ts'
import { LedgerAmount } from '../ledger/units.ts'
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

const verification = { ...about, verification_id: idOf('verification') }

/** The shapes of `data`, by the names that the documents and the receiver kit give to their bodies. */
export const PARTNER_EVENT_DATA = {
  CustomerUpdated: z.strictObject({ ...ofMerchant, relationship_status: RelationshipStatus }),
  VerificationMoved: z.strictObject({ ...verification, status: z.enum(['pending', 'approved']) }),
  VerificationRejected: z.strictObject({
    ...verification,
    status: z.literal('rejected'),
    rejection_reason: VerificationRejectionReason.nullable(),
  }),
  AgreementAccepted: z.strictObject({
    ...ofMerchant,
    acceptance_id: idOf('acceptance'),
    agreement_id: idOf('agreement'),
    agreement_version: z.string(),
  }),
  DocumentReviewed: z.strictObject({
    ...ofMerchant,
    document_id: idOf('document'),
    document_type: UploadedDocumentType,
    status: z.enum(['accepted', 'rejected']),
  }),
  CapabilityUpdated: z.strictObject({ ...about, ...Capability.shape }),
  RequirementChanged: z.strictObject({ ...about, ...Requirement.shape }),
  PaymentChanged: z.discriminatedUnion('rail', [CryptoPaymentData, FiatPaymentData]),
  CustomerPayoutChanged: z.strictObject({ ...about, ...CustomerPayout.shape }),
  CustomerPayoutWalletChanged: z.strictObject({
    ...about,
    payout_wallet_id: idOf('payoutWallet'),
    kind: PayoutWalletKind,
    unit: z.string(),
    /** Shortened. */
    masked: z.string(),
    status: PayoutWalletStatus,
    usable_from: Timestamp,
  }),
  BalanceNegative: z.strictObject({
    ...ofMerchant,
    unit: z.string(),
    /** Negative: after the posting. */
    available: LedgerAmount,
    /** The posting by which it fell below zero. */
    journal_id: idOf('journal'),
    recorded_at: Timestamp,
  }),
  RefundCompleted: z.strictObject({
    ...about,
    refund_id: idOf('refund'),
    order_id: idOf('fiatOrder'),
    order_key: OrderKey,
    status: z.literal('succeeded'),
  }),
} as const
