import { z } from 'zod'
import type { Fact, MerchantEvent } from './event.ts'
import type { EventName } from './event-names.ts'
import { MERCHANT_EVENT_BODIES as BODIES } from './merchant-events.ts'
import { PARTNER_EVENTS } from './partner-events.ts'

/** The parts of an event: `data` for partners, the merchant's event with its body, and the kind of its fact. */
export type EventData = Readonly<{
  data?: z.ZodType
  merchant?: Readonly<{ event: MerchantEvent; body: z.ZodType }>
  fact?: Fact['kind']
}>

const toMerchant = <const E extends MerchantEvent, B extends z.ZodType>(event: E, body: B) => ({
  event,
  body,
})

const { data: verification } = PARTNER_EVENTS.VerificationMoved.shape
const { data: requirement } = PARTNER_EVENTS.RequirementChanged.shape
const { data: payment } = PARTNER_EVENTS.PaymentChanged.shape
const changed = z.union([BODIES.CryptoOrderChanged, BODIES.CardOrderChanged])

/** The shapes of every event by its name; {@link EventOf} is the type of an event that is emitted. */
export const EVENT_DATA = {
  'relationship.changed': { fact: 'relationship' },
  'customer.updated': { data: PARTNER_EVENTS.CustomerUpdated.shape.data },
  'verification.pending': { data: verification },
  'verification.approved': { data: verification },
  'verification.rejected': { data: PARTNER_EVENTS.VerificationRejected.shape.data },
  'agreement.accepted': { data: PARTNER_EVENTS.AgreementAccepted.shape.data },
  'document.reviewed': { data: PARTNER_EVENTS.DocumentReviewed.shape.data },
  'capability.updated': { data: PARTNER_EVENTS.CapabilityUpdated.shape.data },
  'requirement.created': { data: requirement },
  'requirement.resolved': { data: requirement },
  'integration.changed': { fact: 'integration' },
  'dispute_standing.changed': { fact: 'dispute_standing' },
  'payment.pending': { data: payment, merchant: toMerchant('pending', changed) },
  'payment.confirmed': { data: payment, merchant: toMerchant('paid', changed) },
  'payment.underpaid': { data: payment, merchant: toMerchant('underpaid', BODIES.CryptoOrderUnderpaid) },
  'payment.reverted': { data: payment, merchant: toMerchant('reverted', BODIES.CryptoOrderReverted) },
  'payment.expired': { data: payment, merchant: toMerchant('expired', changed) },
  'payment.cancelled': { data: payment, merchant: toMerchant('cancelled', changed) },
  'payment.refunded': {
    data: payment,
    merchant: toMerchant('refunded', z.union([BODIES.CryptoOrderRefunded, BODIES.CardOrderChanged])),
    fact: 'refund',
  },
  'payment.chargeback': { data: payment, merchant: toMerchant('chargeback', BODIES.CardOrderDisputed) },
  'payment.late': { fact: 'late_payment' },
  'deposit.moved': { fact: 'deposit_move' },
  'payout.upcoming': { merchant: toMerchant('payout_upcoming', BODIES.PayoutChanged) },
  'payout.sent': { merchant: toMerchant('payout_sent', BODIES.PayoutChanged) },
  'risk.alert': { merchant: toMerchant('risk_alert', BODIES.RiskAlerted) },
  'refund.completed': { data: PARTNER_EVENTS.RefundCompleted.shape.data },
  'ramping.status_changed': {
    merchant: toMerchant('ramping.status_changed', BODIES.RampingStatusChanged),
  },
  'ramping.kyc_pending': { merchant: toMerchant('ramping.kyc_pending', BODIES.RampingKycPending) },
} as const satisfies Readonly<Record<EventName, EventData>>
