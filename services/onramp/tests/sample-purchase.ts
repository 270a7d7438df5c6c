import type { ProviderOrder } from '@causeway/rails/onramps'
import type { OpenedPurchase } from '../src/orders/purchase.ts'

const HOUR_MS = 3_600_000
const CREATED_MS = Date.parse('2026-03-01T12:00:00.000Z')

/** This many hours after the sample was created. */
export const atHour = (hours: number): Date => new Date(CREATED_MS + hours * HOUR_MS)

/** An open purchase whose provider has answered. */
export const samplePurchase = (change: Partial<OpenedPurchase> = {}): OpenedPurchase => ({
  id: 'onr_1',
  partnerId: 'prt_1',
  partnerCustomerId: 'pcu_1',
  merchantId: 'cus_1',
  orderId: 'ord_1',
  startedBy: 'partner',
  provider: 'provider',
  providerOrderId: 'sbr_1',
  status: 'waitingPayment',
  changedAt: atHour(1),
  outcome: null,
  fiat: 'EUR',
  fiatAmount: '30.00',
  crypto: 'BTC',
  cryptoAmount: '0.0005',
  blockchain: 'BTC',
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  returnUrl: null,
  checkoutUrl: 'https://buy.example/sbr_1',
  orderStatusUrl: 'https://buy.example/sbr_1/status',
  orderType: 'CRYPTO-BUY',
  transactionHash: null,
  cryptoOrderExpiresAt: atHour(12),
  createdAt: atHour(0),
  updatedAt: atHour(1),
  extendAt: atHour(10),
  capAt: atHour(72),
  extendedAt: null,
  pendingAction: null,
  abandonedAt: null,
  dueAt: atHour(10),
  pollAt: atHour(1.1),
  ...change,
})

/** Makes the provider's report of the sample after two hours. */
export const sampleReport = (change: Partial<ProviderOrder> = {}): ProviderOrder => ({
  providerOrderId: 'sbr_1',
  onrampOrderId: 'onr_1',
  status: 'paymentReceived',
  changedAt: atHour(2),
  orderType: null,
  fiatAmount: null,
  cryptoAmount: null,
  transactionHash: null,
  checkoutUrl: null,
  orderStatusUrl: null,
  ...change,
})
