import { describe, expect, it } from '@jest/globals'
import { OnrampOrder, ONRAMP_STATUSES, type OnrampStatus } from '@causeway/contracts'
import { atHour, samplePurchase, sampleReport } from '../../tests/sample-purchase.ts'
import { advance, isOpened, isRevived, open, pollAtOf, presentPurchase } from './purchase.ts'

const now = atHour(3)
const SUCCESSES: readonly OnrampStatus[] = ['complete', 'completed']
const FAILURES: readonly OnrampStatus[] = ['cancelled', 'declined', 'expired', 'refunded']
const OPEN = ONRAMP_STATUSES.filter((status) => ![...SUCCESSES, ...FAILURES].includes(status))

describe('a newer state of the provider', () => {
  it.each(OPEN)('leaves the purchase open and its deadlines unchanged: %s', (status) => {
    const before = samplePurchase({ status: 'pendingPayment' })
    expect(advance(before, sampleReport({ status }), now)).toEqual({
      purchase: { ...before, status, changedAt: atHour(2), updatedAt: now },
      isChanged: status !== 'pendingPayment',
    })
  })

  it.each([
    ...SUCCESSES.map((status) => [status, 'success', 'release'] as const),
    ...FAILURES.map((status) => [status, 'failure', 'cancel'] as const),
  ])(
    'ends the purchase at %s with %s, and payments must %s the crypto order immediately',
    (status, outcome, pendingAction) => {
      const before = samplePurchase()
      expect(advance(before, sampleReport({ status }), now)).toEqual({
        purchase: {
          ...before,
          status,
          changedAt: atHour(2),
          updatedAt: now,
          outcome,
          pendingAction,
          dueAt: now,
          pollAt: null,
        },
        isChanged: true,
      })
    },
  )

  it('updates the fields that it states and keeps those that it omits', () => {
    const reported = { transactionHash: '0xabc', orderType: 'BUY', orderStatusUrl: 'https://buy.example/s' }
    const after = advance(samplePurchase(), sampleReport(reported), now)?.purchase
    expect(after).toMatchObject(reported)
    const later = sampleReport({ status: 'coinTransferred', changedAt: atHour(2.5) })
    expect(after && advance(after, later, now)?.purchase).toMatchObject(reported)
  })

  it('is ignored when it repeats the current status', () => {
    const reported = sampleReport({ status: 'waitingPayment' })
    expect(advance(samplePurchase(), reported, now)).toMatchObject({
      isChanged: false,
      purchase: { changedAt: atHour(2) },
    })
  })

  it('can go back to an earlier status', () => {
    const before = samplePurchase({ status: 'extraVerification' })
    expect(advance(before, sampleReport({ status: 'waitingPayment' }), now)?.isChanged).toBe(true)
  })
})

describe('a state of the provider without effect', () => {
  it.each([...SUCCESSES, ...FAILURES])('is ignored after %s', (status) => {
    const outcome = SUCCESSES.includes(status) ? 'success' : 'failure'
    const before = samplePurchase({ status, outcome, pendingAction: null, dueAt: null, pollAt: null })
    for (const next of ONRAMP_STATUSES)
      expect(advance(before, sampleReport({ status: next }), now)).toBeNull()
  })

  it('is ignored if it is older, or of another order', () => {
    expect(advance(samplePurchase(), sampleReport({ changedAt: atHour(0.9) }), now)).toBeNull()
    expect(advance(samplePurchase(), sampleReport({ providerOrderId: 'sbr_2' }), now)).toBeNull()
  })

  it.each([atHour(1), null])(
    'is ignored at an equal or missing time (%s) if its status is not further along',
    (at) => {
      const outcomes = ONRAMP_STATUSES.map((status) => [
        status,
        advance(
          samplePurchase({ status: 'extraVerification' }),
          sampleReport({ status, changedAt: at }),
          now,
        ) !== null,
      ])
      expect(Object.fromEntries(outcomes)).toEqual({
        pendingPayment: false,
        waitingPayment: false,
        paymentReceived: false,
        extraVerification: false,
        inProgress: true,
        coinTransferred: true,
        cryptoTransferred: true,
        complete: true,
        completed: true,
        cancelled: true,
        declined: true,
        expired: true,
        refunded: true,
      })
    },
  )

  it('keeps the known time if its own is unreadable', () => {
    const reported = sampleReport({ changedAt: null })
    expect(advance(samplePurchase(), reported, now)?.purchase.changedAt).toEqual(atHour(1))
  })
})

describe('an order that its provider continues after its end', () => {
  const ended = samplePurchase({ status: 'expired', outcome: 'failure' })

  it.each([...OPEN, ...SUCCESSES])('is reported at %s', (status) => {
    expect(isRevived(ended, sampleReport({ status }))).toBe(true)
    expect(isRevived(ended, sampleReport({ status, changedAt: null }))).toBe(true)
  })

  it('is not reported after another failure, a success here, an outdated state or another purchase', () => {
    for (const status of FAILURES) expect(isRevived(ended, sampleReport({ status }))).toBe(false)
    expect(isRevived(ended, sampleReport({ changedAt: atHour(1) }))).toBe(false)
    expect(isRevived(ended, sampleReport({ providerOrderId: 'sbr_2' }))).toBe(false)
    expect(isRevived(samplePurchase({ outcome: 'success', status: 'complete' }), sampleReport())).toBe(false)
    expect(isRevived(samplePurchase(), sampleReport())).toBe(false)
  })
})

describe('a reserved purchase', () => {
  const reserved = {
    ...samplePurchase(),
    providerOrderId: null,
    checkoutUrl: null,
    orderStatusUrl: null,
    orderType: null,
    dueAt: null,
  }

  it("is opened by its provider's answer and is due at its extension", () => {
    const reported = { ...sampleReport({ orderType: 'BUY' }), checkoutUrl: 'https://buy.example/1' }
    const opened = open(reserved, reported)
    expect(isOpened(reserved)).toBe(false)
    expect(isOpened(opened)).toBe(true)
    expect(opened).toEqual({
      ...reserved,
      providerOrderId: 'sbr_1',
      checkoutUrl: 'https://buy.example/1',
      orderType: 'BUY',
      dueAt: atHour(10),
    })
  })

  it('takes the fiat amount that the provider states, or keeps the requested one', () => {
    const reported = { ...sampleReport(), checkoutUrl: 'https://buy.example/1' }
    expect(open(reserved, reported).fiatAmount).toBe('30.00')
    expect(open(reserved, { ...reported, fiatAmount: '31.5' }).fiatAmount).toBe('31.5')
  })
})

describe('a partner', () => {
  it('sees the order with its cap as its end, and nothing of other parties', () => {
    const id = `onr_${'0'.repeat(26)}`
    const orderId = `ord_${'0'.repeat(26)}`
    const shown = presentPurchase(samplePurchase({ id, orderId }))
    expect(shown).toEqual({
      id,
      orderId,
      providerOrderId: 'sbr_1',
      status: 'waitingPayment',
      checkoutUrl: 'https://buy.example/sbr_1',
      fiat: 'EUR',
      fiatAmount: '30.00',
      crypto: 'BTC',
      cryptoAmount: '0.0005',
      blockchain: 'BTC',
      createdAt: '2026-03-01T12:00:00.000Z',
      expiresAt: '2026-03-04T12:00:00.000Z',
    })
    expect(OnrampOrder.safeParse(shown).success).toBe(true)
  })
})

describe('a silent order', () => {
  it('is polled after the configured time, and then after an eighth of the time without a change', () => {
    const minutesAfter = (hours: number) =>
      (pollAtOf({ updatedAt: atHour(0) }, atHour(hours), 5 * 60_000).getTime() - atHour(hours).getTime()) /
      60_000
    expect([0, 0.5, 8 / 12, 2, 16, 64].map(minutesAfter)).toEqual([5, 5, 5, 15, 120, 480])
  })
})
