/* Made from packages/contracts by scripts/generate-webhook-kit.ts: change the contracts, then run it. */
/* oxlint-disable -- generated */

/** `data` of a crypto order; what the event cannot know is null. */
export type CryptoPaymentData = {
  partner_customer_id: string
  rail: 'crypto'
  order_id: string
  status: 'pending' | 'underpaid' | 'paid' | 'expired' | 'cancelled' | 'refunded'
  reference: string
  chain: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
  asset: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
  amount: string
  currency: string
  tx_id: string | null
  block_number: number | null
  received: string | null
}

/** `data` of a card order; amounts in the minor unit of the currency. */
export type FiatPaymentData = {
  partner_customer_id: string
  rail: 'fiat'
  order_id: string
  order_key: string
  merchant_reference: string | null
  status: 'pending' | 'paid' | 'completed' | 'cancelled' | 'expired' | 'refunded' | 'chargeback'
  currency: string
  total_cents: number
}

/** `order` of a crypto order on the merchant channel. */
export type MerchantCryptoOrder = {
  id: string
  reference: string
  merchantId: string
  txId: string | null
  blockNumber: number | null
  chain: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
  asset: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
  amount: string
  address: string
  depositAddress: string
  paymentUri: string
  qrUrl: string
}

/** `order` of a card order on the merchant channel; amounts in the minor unit. */
export type MerchantFiatOrder = {
  id: string
  integrationId: string
  kind: 'order' | 'payment_link'
  amountCents: number
  subtotalCents: number
  serviceFeePayer: 'customer' | 'merchant'
  serviceFeePercent: number
  serviceFeeCents: number
  currency: string
  status: 'pending' | 'paid' | 'completed' | 'cancelled' | 'expired' | 'refunded' | 'chargeback'
  psp: string
  pspOrderId: string
  pspStatus: string | null
  orderUrl: string
  returnUrl: string | null
  failureUrl: string | null
  webhookUrl: string
  merchantReference: string | null
  createdAt: string
  updatedAt: string | null
  completedAt: string | null
}

/** Data of the card processor: next to `order`, under a key with the name of the processor. */
export type CardProcessorFields = {
  event: string
  project_id: string | null
  order_id: string
  status: string | null
  refunded_amount: number | null
  refund_of_order_id: string | null
  related_payment_link_id: string | null
  original_order_id?: string
  chargeback_order_id?: string
  chargeback_of_order_id?: string
  flags_original?: string[]
  flags_chargeback?: string[]
}

export type CustomerUpdated = {
  event_id: string
  event_type: 'customer.updated'
  created_at: string
  partner_id: string
  data: { partner_customer_id: string; customer_id: string; relationship_status: 'active' | 'revoked' }
}

export type VerificationMoved = {
  event_id: string
  event_type: 'verification.pending' | 'verification.approved'
  created_at: string
  partner_id: string
  data: { partner_customer_id: string; verification_id: string; status: 'pending' | 'approved' }
}

export type VerificationRejected = {
  event_id: string
  event_type: 'verification.rejected'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    verification_id: string
    status: 'rejected'
    rejection_reason:
      | 'document_illegible'
      | 'document_expired'
      | 'information_mismatch'
      | 'business_not_supported'
      | 'ownership_unclear'
      | 'sanctions_match'
      | 'duplicate_case'
      | 'other'
      | null
  }
}

export type AgreementAccepted = {
  event_id: string
  event_type: 'agreement.accepted'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    customer_id: string
    acceptance_id: string
    agreement_id: string
    agreement_version: string
  }
}

export type DocumentReviewed = {
  event_id: string
  event_type: 'document.reviewed'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    customer_id: string
    document_id: string
    document_type:
      | 'certificate_of_incorporation'
      | 'proof_of_address'
      | 'director_id'
      | 'bank_statement'
      | 'processing_statement'
      | 'other'
    status: 'accepted' | 'rejected'
  }
}

export type CapabilityUpdated = {
  event_id: string
  event_type: 'capability.updated'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    capability:
      | 'payments.crypto'
      | 'payments.fiat_card'
      | 'payouts'
      | 'payout_wallets'
      | 'refunds'
      | 'wallets'
      | 'withdrawals'
    enabled: boolean
    available: boolean
    reason:
      | 'link_unconfirmed'
      | 'suspended'
      | 'verification_required'
      | 'verification_expired'
      | 'agreement_required'
      | 'chargeback_threshold'
      | null
  }
}

export type RequirementChanged = {
  event_id: string
  event_type: 'requirement.created' | 'requirement.resolved'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    requirement_id: string
    kind: 'document' | 'field' | 'clarification'
    target: string | null
    document_type:
      | 'certificate_of_incorporation'
      | 'proof_of_address'
      | 'director_id'
      | 'bank_statement'
      | 'processing_statement'
      | null
    message: string
    status: 'open' | 'fulfilled' | 'satisfied' | 'cancelled'
    raised_by: 'you' | 'partner' | 'service'
    document_id: string | null
    due_at: string | null
    created_at: string
    updated_at: string | null
    resolved_at: string | null
  }
}

export type PaymentChanged = {
  event_id: string
  event_type:
    | 'payment.pending'
    | 'payment.confirmed'
    | 'payment.underpaid'
    | 'payment.reverted'
    | 'payment.expired'
    | 'payment.cancelled'
    | 'payment.refunded'
    | 'payment.chargeback'
  created_at: string
  partner_id: string
  data: CryptoPaymentData | FiatPaymentData
}

export type CustomerPayoutChanged = {
  event_id: string
  event_type: 'payout.upcoming' | 'payout.sent' | 'payout.settled' | 'payout.returned'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    payout_id: string
    customer_id: string
    unit: string
    currency?: string
    amount_cents?: number
    amount?: string
    status: 'upcoming' | 'sent' | 'settled' | 'cancelled' | 'returned'
    destination: string | null
    schedule: {
      unit: string
      interval: 'manual' | 'daily' | 'weekly' | 'monthly'
      weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
      day: number | 'last' | null
      minimum_amount: number | string
      payout_wallet_id: string | null
    } | null
    scheduled_for: string
    created_at: string
    sent_at: string | null
    settled_at: string | null
    returned_at: string | null
    return_reason: string | null
    reference: string | null
    tx_id: string | null
    summary: {
      payments: number | string
      deposits: number | string
      deposits_reverted: number | string
      refunds: number | string
      fees_returned: number | string
      service_fees: number | string
      partner_fees: number | string
      splits: number | string
      disputes: number | string
      disputes_reversed: number | string
      dispute_fees: number | string
      reserve: number | string
      reserve_released: number | string
      conversions: number | string
      network_fees: number | string
      adjustments: number | string
      payouts_returned: number | string
      payout_fee: number | string
      advance: number | string
      entry_count: number
    }
  }
}

export type CustomerPayoutWalletChanged = {
  event_id: string
  event_type: 'payout_wallet.added' | 'payout_wallet.active' | 'payout_wallet.deleted'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    payout_wallet_id: string
    kind: 'iban' | 'address'
    unit: string
    masked: string
    status: 'proof_required' | 'waiting' | 'active' | 'refused'
    usable_from: string
  }
}

export type BalanceNegative = {
  event_id: string
  event_type: 'balance.negative'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    customer_id: string
    unit: string
    available: number | string
    journal_id: string
    recorded_at: string
  }
}

export type RefundCompleted = {
  event_id: string
  event_type: 'refund.completed'
  created_at: string
  partner_id: string
  data: {
    partner_customer_id: string
    refund_id: string
    order_id: string
    order_key: string
    status: 'succeeded'
  }
}

export type TestSent = {
  event: 'test'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: { id: string; reference: string; chain: string; asset: string; amount: string; status: string }
}

export type CryptoOrderChanged = {
  event: 'pending' | 'paid' | 'cancelled' | 'expired'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: MerchantCryptoOrder
  reason?: 'ramping_kyc_timeout'
  rampingOrderId?: string
}

export type CryptoOrderReverted = {
  event: 'reverted'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: {
    id: string
    reference: string
    merchantId: string
    txId: string | null
    blockNumber: number | null
    chain: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
    asset: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
    amount: string
    address: string
    depositAddress: string
    paymentUri: string
    qrUrl: string
    status: 'pending' | 'underpaid' | 'paid' | 'expired' | 'cancelled' | 'refunded'
    received: string
  }
}

export type CryptoOrderUnderpaid = {
  event: 'underpaid'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: {
    id: string
    reference: string
    merchantId: string
    txId: string | null
    blockNumber: number | null
    chain: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
    asset: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
    amount: string
    address: string
    depositAddress: string
    paymentUri: string
    qrUrl: string
    received: string
    expected: string
    fees: {
      kind: string
      currency: string
      invoiceAmount: string
      networkFee: string | null
      totalToSend: string
      platformFeePercent: number
      platformFeeAmount: string
    }
  }
}

export type CryptoOrderRefunded = {
  event: 'refunded'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: {
    id: string
    reference: string
    merchantId: string
    txId: string | null
    blockNumber: number | null
    chain: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
    asset: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
    amount: string
    address: string
    depositAddress: string
    paymentUri: string
    qrUrl: string
    refundedAt: string
  }
}

export type CardOrderChanged = {
  event: 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: MerchantFiatOrder
  [key: string]: unknown
}

export type CardOrderDisputed = {
  event: 'chargeback'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: MerchantFiatOrder
  risk: { ip: string | null; ipMasked: string | null }
  [key: string]: unknown
}

export type RiskAlerted = {
  event: 'risk_alert'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: MerchantFiatOrder
  risk: {
    kind: 'chargeback_ip_spike'
    ip: string
    ipMasked: string
    windowDays: number
    thresholds: {
      merchantIpThreshold: number
      platformIpThreshold: number
      distinctMerchantsThreshold: number
    }
    stats: { merchantCount: number; platformCount: number; distinctMerchants: number }
    severity: 'medium' | 'high'
    message: string
  }
}

export type PayoutWalletChanged = {
  event: 'payout_wallet_added' | 'payout_wallet_deleted'
  eventId?: string
  occurredAt?: string
  sequence?: number
  payoutWallet: {
    payoutWalletId: string
    partnerCustomerId: string
    kind: 'iban' | 'address'
    unit: string
    masked: string
    status: 'proof_required' | 'waiting' | 'active' | 'refused'
    usableFrom: string
  }
}

export type PayoutChanged = {
  event: 'payout_upcoming' | 'payout_sent'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: {
    id: string
    amountCents?: number
    currency?: string
    amount?: string
    unit?: string
    scheduledFor: string
    createdAt: string
    sentAt: string | null
    status: 'upcoming' | 'sent'
  }
  payout?: {
    payoutId: string
    partnerCustomerId: string | string
    unit: string
    amountCents?: number
    amount?: string
    status: 'upcoming' | 'sent' | 'settled' | 'cancelled' | 'returned'
    destination: string | null
    settledAt: string | null
    returnedAt: string | null
    returnReason: string | null
    reference: string | null
    txId: string | null
    summary: {
      payments: number | string
      deposits: number | string
      depositsReverted: number | string
      refunds: number | string
      feesReturned: number | string
      serviceFees: number | string
      partnerFees: number | string
      splits: number | string
      disputes: number | string
      disputesReversed: number | string
      disputeFees: number | string
      reserve: number | string
      reserveReleased: number | string
      conversions: number | string
      networkFees: number | string
      adjustments: number | string
      payoutsReturned: number | string
      payoutFee: number | string
      advance: number | string
      entryCount: number
    }
  }
}

export type PayoutReturned = {
  event: 'payout_returned'
  eventId?: string
  occurredAt?: string
  sequence?: number
  order: {
    id: string
    amountCents?: number
    currency?: string
    amount?: string
    unit?: string
    scheduledFor: string
    createdAt: string
    sentAt: string | null
    status: 'returned'
  }
  payout: {
    payoutId: string
    partnerCustomerId: string | string
    unit: string
    amountCents?: number
    amount?: string
    status: 'upcoming' | 'sent' | 'settled' | 'cancelled' | 'returned'
    destination: string | null
    settledAt: string | null
    returnedAt: string | null
    returnReason: string | null
    reference: string | null
    txId: string | null
    summary: {
      payments: number | string
      deposits: number | string
      depositsReverted: number | string
      refunds: number | string
      feesReturned: number | string
      serviceFees: number | string
      partnerFees: number | string
      splits: number | string
      disputes: number | string
      disputesReversed: number | string
      disputeFees: number | string
      reserve: number | string
      reserveReleased: number | string
      conversions: number | string
      networkFees: number | string
      adjustments: number | string
      payoutsReturned: number | string
      payoutFee: number | string
      advance: number | string
      entryCount: number
    }
  }
}

export type RampingStatusChanged = {
  event: 'ramping.status_changed'
  eventId?: string
  occurredAt?: string
  sequence?: number
  data: {
    id: string
    status:
      | 'pendingPayment'
      | 'waitingPayment'
      | 'paymentReceived'
      | 'extraVerification'
      | 'inProgress'
      | 'coinTransferred'
      | 'cryptoTransferred'
      | 'complete'
      | 'completed'
      | 'cancelled'
      | 'declined'
      | 'expired'
      | 'refunded'
    orderType: string | null
    fiat: string
    fiatAmount: string | null
    crypto: 'BTC' | 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'SOL' | 'XRP'
    cryptoAmount: string
    blockchain: 'BTC' | 'LTC' | 'ETH' | 'SOL' | 'XRP'
    transactionHash: string | null
    orderStatusUrl: string | null
    reason?: 'kyc_timeout_72h'
    [key: string]: unknown
  }
}

export type RampingKycPending = {
  event: 'ramping.kyc_pending'
  eventId?: string
  occurredAt?: string
  sequence?: number
  data: {
    id: string
    orderId: string
    originalExpiresAt: string
    newExpiresAt: string
    hardCapAt: string
    ageHours: number
    [key: string]: unknown
  }
}

/** Event that a destination of the partner channel receives; discriminated by `event_type`. */
export type PartnerEvent =
  | CustomerUpdated
  | VerificationMoved
  | VerificationRejected
  | AgreementAccepted
  | DocumentReviewed
  | CapabilityUpdated
  | RequirementChanged
  | PaymentChanged
  | CustomerPayoutChanged
  | CustomerPayoutWalletChanged
  | BalanceNegative
  | RefundCompleted

/** Event that a webhook of the merchant channel receives; discriminated by `event`, card and crypto orders by `integrationId`. */
export type MerchantEvent =
  | TestSent
  | CryptoOrderChanged
  | CryptoOrderReverted
  | CryptoOrderUnderpaid
  | CryptoOrderRefunded
  | CardOrderChanged
  | CardOrderDisputed
  | RiskAlerted
  | PayoutWalletChanged
  | PayoutChanged
  | PayoutReturned
  | RampingStatusChanged
  | RampingKycPending

export type PartnerEventType =
  | 'customer.updated'
  | 'verification.pending'
  | 'verification.approved'
  | 'verification.rejected'
  | 'agreement.accepted'
  | 'document.reviewed'
  | 'capability.updated'
  | 'requirement.created'
  | 'requirement.resolved'
  | 'payment.pending'
  | 'payment.confirmed'
  | 'payment.underpaid'
  | 'payment.reverted'
  | 'payment.expired'
  | 'payment.cancelled'
  | 'payment.refunded'
  | 'payment.chargeback'
  | 'payout.upcoming'
  | 'payout.sent'
  | 'payout.settled'
  | 'payout.returned'
  | 'payout_wallet.added'
  | 'payout_wallet.active'
  | 'payout_wallet.deleted'
  | 'balance.negative'
  | 'refund.completed'

/** Types that only a destination that names them receives. */
export type OptInEventType =
  | 'payout.upcoming'
  | 'payout.sent'
  | 'payout.settled'
  | 'payout.returned'
  | 'payout_wallet.added'
  | 'payout_wallet.active'
  | 'payout_wallet.deleted'
  | 'balance.negative'

export type MerchantEventName =
  | 'test'
  | 'pending'
  | 'paid'
  | 'underpaid'
  | 'reverted'
  | 'cancelled'
  | 'expired'
  | 'refunded'
  | 'payout_upcoming'
  | 'payout_sent'
  | 'payout_returned'
  | 'payout_wallet_added'
  | 'payout_wallet_deleted'
  | 'chargeback'
  | 'risk_alert'
  | 'ramping.status_changed'
  | 'ramping.kyc_pending'
