import { describe, expect, it } from '@jest/globals'
import { riskStatsByMerchant, severityOf } from './risk.ts'

const thresholds = { merchantIpThreshold: 3, platformIpThreshold: 5, distinctMerchantsThreshold: 2 }
const alerted = (counts: object, rules = thresholds) => [
  ...riskStatsByMerchant(new Map(Object.entries(counts)), rules).keys(),
]

describe('disputes of one IP', () => {
  it.each([
    [{ a: 2 }, []],
    [{ a: 3 }, ['a']],
    [{ a: 1, b: 1 }, ['a', 'b']],
  ])('raise alerts for the counts %j at the merchants %j', (counts, merchants) => {
    expect(alerted(counts)).toEqual(merchants)
  })

  it('raise an alert at each threshold alone', () => {
    const none = { merchantIpThreshold: 99, platformIpThreshold: 99, distinctMerchantsThreshold: 99 }
    const counts = { a: 3, b: 2 }
    expect(alerted(counts, none)).toEqual([])
    for (const alone of [
      { merchantIpThreshold: 3 },
      { platformIpThreshold: 5 },
      { distinctMerchantsThreshold: 2 },
    ])
      expect(alerted(counts, { ...none, ...alone })).toEqual(['a', 'b'])
    for (const short of [
      { merchantIpThreshold: 4 },
      { platformIpThreshold: 6 },
      { distinctMerchantsThreshold: 3 },
    ])
      expect(alerted(counts, { ...none, ...short })).toEqual([])
  })

  it('are severe beyond one merchant', () => {
    const [alone] = riskStatsByMerchant(new Map([['a', 3]]), thresholds).values()
    const [together] = riskStatsByMerchant(new Map(Object.entries({ a: 1, b: 1 })), thresholds).values()
    expect([alone, together].map((stats) => stats && severityOf(stats, thresholds))).toEqual([
      'medium',
      'high',
    ])
  })
})
