import { describe, expect, it } from '@jest/globals'
import { atHour, samplePurchase } from '../../tests/sample-purchase.ts'
import { kycPending, statusChanged } from './events.ts'

const purchase = samplePurchase({
  provider: 'banxa',
  providerOrderId: '3b7f',
  status: 'cryptoTransferred',
  transactionHash: '0xabc',
})
const emission = { eventId: 'evt_1', purchase, now: atHour(10) }

describe('ramping.status_changed', () => {
  it('is sent only to the merchant, with the keys of the provider', () => {
    expect(statusChanged({ ...emission, providerStatus: 'cryptoTransferred' })).toEqual({
      id: 'evt_1',
      name: 'ramping.status_changed',
      created_at: '2026-03-01T22:00:00.000Z',
      partners: [],
      merchant: {
        merchant_id: 'cus_1',
        integration_id: null,
        event: 'ramping.status_changed',
        body: {
          event: 'ramping.status_changed',
          data: {
            id: 'onr_1',
            banxaOrderId: '3b7f',
            status: 'cryptoTransferred',
            orderType: 'CRYPTO-BUY',
            fiat: 'EUR',
            fiatAmount: '30.00',
            crypto: 'BTC',
            cryptoAmount: '0.0005',
            blockchain: 'BTC',
            transactionHash: '0xabc',
            orderStatusUrl: 'https://buy.example/sbr_1/status',
            banxaWebhook: { status: 'cryptoTransferred', order_id: '3b7f' },
          },
        },
      },
      fact: null,
    })
  })

  it("contains the reason of a timeout and the provider's last status", () => {
    const event = statusChanged({
      ...emission,
      purchase: { ...purchase, status: 'expired' },
      providerStatus: 'extraVerification',
      reason: 'kyc_timeout_72h',
    })
    expect(event.merchant?.body).toMatchObject({
      data: {
        status: 'expired',
        banxaWebhook: { status: 'extraVerification', order_id: '3b7f' },
        reason: 'kyc_timeout_72h',
      },
    })
  })

  it('contains neither the payer’s address nor the partner', () => {
    const text = JSON.stringify(statusChanged({ ...emission, providerStatus: 'cryptoTransferred' }))
    expect(text).not.toContain(purchase.address)
    expect(text).not.toContain('prt_1')
  })
})

describe('ramping.kyc_pending', () => {
  it('contains the old and the new expiry of the crypto order, and the age in hours to two decimals', () => {
    expect(kycPending({ ...emission, now: new Date(atHour(10).getTime() + 20_000) }).merchant?.body).toEqual({
      event: 'ramping.kyc_pending',
      data: {
        id: 'onr_1',
        orderId: 'ord_1',
        banxaStatus: 'cryptoTransferred',
        originalExpiresAt: '2026-03-02T00:00:00.000Z',
        newExpiresAt: '2026-03-04T12:00:00.000Z',
        hardCapAt: '2026-03-04T12:00:00.000Z',
        ageHours: 10.01,
      },
    })
  })
})
