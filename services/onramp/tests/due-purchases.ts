import { newId } from '@causeway/chassis'
import type { CryptoOrderTerms } from '@causeway/contracts'
import type { Purchase } from '../src/orders/purchase.ts'

const HOUR_MS = 3_600_000

/** A purchase whose ten or seventy-two hours are over now; the latter was extended when it was time. */
export const duePurchase = (due: 'extend' | 'end', nowMs: number): Purchase => {
  const id = newId('onrampOrder')
  const createdMs = nowMs - (due === 'extend' ? 10 : 72) * HOUR_MS
  const at = (hours: number) => new Date(createdMs + hours * HOUR_MS)
  return {
    id,
    partnerId: newId('partner'),
    partnerCustomerId: newId('relationship'),
    merchantId: newId('merchant'),
    orderId: newId('cryptoOrder'),
    startedBy: 'partner',
    provider: 'provider',
    providerOrderId: `at-provider-${id}`,
    status: 'extraVerification',
    changedAt: at(1),
    outcome: null,
    fiat: 'EUR',
    fiatAmount: '30.00',
    crypto: 'BTC',
    cryptoAmount: '0.0005',
    blockchain: 'BTC',
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    returnUrl: null,
    checkoutUrl: 'https://provider.example/buy',
    orderStatusUrl: null,
    orderType: 'buy',
    transactionHash: null,
    cryptoOrderExpiresAt: at(12),
    createdAt: at(0),
    updatedAt: at(1),
    extendAt: at(10),
    capAt: at(72),
    extendedAt: due === 'extend' ? null : at(10),
    pendingAction: null,
    abandonedAt: null,
    dueAt: new Date(nowMs),
    pollAt: null,
  }
}

/** Its crypto order as payments has it. */
export const cryptoOrderOf = (purchase: Purchase): CryptoOrderTerms => ({
  order_id: purchase.orderId,
  partner_id: purchase.partnerId,
  partner_customer_id: purchase.partnerCustomerId,
  customer_id: purchase.merchantId,
  status: 'pending',
  network: 'BTC',
  asset: 'BTC',
  amount: purchase.cryptoAmount,
  currency: 'EUR',
  fiat_amount: '30.00',
  address: purchase.address,
  expires_at: (purchase.extendedAt ? purchase.capAt : purchase.cryptoOrderExpiresAt).toISOString(),
})
