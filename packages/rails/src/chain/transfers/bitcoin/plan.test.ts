import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { planSweep, planTransfer } from './plan.ts'
import { dustOf, feeOf } from './sizes.ts'

const OWN = Uint8Array.from([0x00, 20, ...new Uint8Array(20)])
const TO = Uint8Array.from([0x76, 0xa9, 20, ...new Uint8Array(20), 0x88, 0xac])
const coinsOf = (values: readonly bigint[], address = 'own') =>
  values.map((value, at) => ({ txId: String(at).padStart(64, '0'), outputIndex: 0, value, address }))
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

describe('dust', () => {
  test.each([
    ['a witness key hash', OWN, 294n, 2_940n],
    ['a key hash', TO, 546n, 5_460n],
    ['a taproot key', Uint8Array.from([0x51, 32, ...new Uint8Array(32)]), 330n, 3_300n],
  ])('equals for %s the limits of Bitcoin Core and Litecoin Core', (_, script, bitcoin, litecoin) => {
    expect([dustOf('BTC', script), dustOf('LTC', script)]).toEqual([bitcoin, litecoin])
  })
})

describe('plan', () => {
  test('creates and loses nothing, and gives nobody more than requested', () => {
    const values = fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { minLength: 1, maxLength: 250 })
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 300_000 }),
        (held, share, at) => {
          const rate = BigInt(at)
          const amount = (sum(held) * BigInt(share)) / 100n
          const terms = { network: 'BTC', coins: coinsOf(held), toScript: TO, rate } as const
          let plan
          try {
            plan = planTransfer(terms, amount, OWN)
          } catch {
            return
          }
          const { inputs, arrives, change, fee } = plan
          const dust = sum(inputs.map(({ value }) => value)) - arrives - change - fee
          expect(dust).toBeGreaterThanOrEqual(0n)
          expect(dust).toBeLessThan(dustOf('BTC', OWN))
          expect(fee).toBe(feeOf(inputs.length, change > 0n ? [TO, OWN] : [TO], rate))
          expect(arrives + fee).toBe(amount)
          expect(arrives).toBeLessThan(amount)
          expect(arrives).toBeGreaterThanOrEqual(dustOf('BTC', TO))
          expect(change === 0n || change >= dustOf('BTC', OWN)).toBe(true)
        },
      ),
    )
  })

  test('spends small coins when the amount needs them, and leaves them otherwise', () => {
    const terms = {
      network: 'BTC',
      coins: coinsOf([100_000n, 300n, 200n]),
      toScript: TO,
      rate: 10_000n,
    } as const
    expect(planTransfer(terms, 100_500n, OWN)).toMatchObject({ change: 0n, inputs: { length: 3 } })
    expect(planTransfer(terms, 100_000n, OWN)).toMatchObject({ change: 0n, inputs: { length: 1 } })
  })

  test('limits a sweep to 500 inputs, takes addresses in turn, and leaves coins that cost more than they bring', () => {
    const coins = [
      ...coinsOf(
        Array.from({ length: 300 }, () => 10_000n),
        'first',
      ),
      ...coinsOf(
        Array.from({ length: 300 }, () => 10_000n),
        'second',
      ),
      ...coinsOf([600n], 'third'),
    ]
    const terms = { network: 'BTC', coins, toScript: TO, rate: 10_000n } as const
    const plan = planSweep(terms, ['third', 'second', 'first'])
    const from = plan?.inputs.map(({ address }) => address) ?? []
    expect(from).toHaveLength(500)
    expect(from.filter((address) => address === 'second')).toHaveLength(300)
    expect(from).not.toContain('third')
    expect(planSweep(terms, ['third'])).toBe(null)
  })
})
