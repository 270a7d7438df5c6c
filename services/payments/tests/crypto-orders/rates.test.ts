import { describe, expect, it } from '@jest/globals'
import { orderBody, startForTests } from '../running-payments.ts'
import { startScripted } from '../scripted-http.ts'

describe('creation without a rate', () => {
  it('creates no order; refusals and replays are answered as before', async () => {
    let isUp = true
    let now = () => new Date(0)
    const rates = await startScripted((_, url) => ({
      status: isUp ? 200 : 503,
      body: {
        asset: url.searchParams.get('asset'),
        currency: url.searchParams.get('currency'),
        price: '60000',
        at: now().toISOString(),
      },
    }))
    const live = await startForTests({ ratesUrl: rates.url })
    now = () => live.clock.now()
    try {
      const { partner, customerId } = live.newCustomer()
      const order = await live.newOrder(partner, customerId, { reference: 'kept' })
      isUp = false
      live.clock.advance(3_600_000)
      expect(await live.create(partner, customerId, orderBody())).toEqual({
        ok: false,
        code: 'temporarily_unavailable',
      })
      expect(await live.create(partner, customerId, orderBody({ reference: 'kept' }))).toEqual({
        ok: true,
        value: { order, replayed: true },
      })
      live.onboarding.change(customerId, { crypto: { enabled: false } })
      expect(await live.create(partner, customerId, orderBody())).toEqual({
        ok: false,
        code: 'capability_not_enabled',
      })
    } finally {
      await live.stop()
      await rates.stop()
    }
  })
})

describe('a network that is not live', () => {
  it('accepts no orders', async () => {
    const live = await startForTests({ networksLive: ['BTC'] })
    try {
      const { partner, customerId } = live.newCustomer()
      expect(await live.create(partner, customerId, orderBody({ network: 'SOL', asset: 'SOL' }))).toEqual({
        ok: false,
        code: 'invalid_request',
        details: [{ field: 'network', reason: 'invalid_value', allowed: ['BTC'] }],
      })
      expect(await live.create(partner, customerId, orderBody())).toMatchObject({ ok: true })
    } finally {
      await live.stop()
    }
  })
})
