import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails/cards'
import { createCheckoutCheck, type CreateRequest } from '../../src/fiat-orders/checkout-check.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

/** A processor that counts dinars in hundredths, as Stripe does. */
const processors = new Map([
  [
    'processor',
    { traits: { currencies: null, amountStep: (currency: string) => (currency === 'KWD' ? 10 : 1) } },
  ],
]) as unknown as CardProcessors

test('refuses a price that the processor cannot charge, before anything is recorded', async () => {
  const { partner, customerId, integrationId } = await createFiatCalls(payments).newShop()
  const check = createCheckoutCheck(payments, {
    processors,
    serviceFeePercent: 2.5,
    relationships: { merchantOf: () => Promise.resolve(newId('merchant')) } as never,
  })
  const judge = (amountCents: number, currency: string) =>
    check({
      caller: partner,
      params: { customerId },
      body: { integration_id: integrationId, amount_cents: amountCents, currency },
      now: payments.clock.now(),
    } as unknown as CreateRequest)
  expect(await judge(12_345, 'KWD')).toEqual({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'amount_cents', reason: 'invalid_value', expected: 'a multiple of 10' }],
  })
  expect(await judge(12_340, 'KWD')).toMatchObject({ ok: true, amounts: { serviceFeeCents: 310 } })
  expect(await judge(12_345, 'EUR')).toMatchObject({ ok: true, amounts: { serviceFeeCents: 309 } })
})
