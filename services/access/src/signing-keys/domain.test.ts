import { describe, expect, test } from '@jest/globals'
import { PUBLISH_LEAD_MS } from '@causeway/contracts'
import { planRotation } from './domain.ts'

const MINUTE_MS = 60_000
const rule = { tokenTtlMs: 15 * MINUTE_MS, rotateAfterMs: 1_000 * MINUTE_MS, now: false }
const key = (kid: string, minute: number) => ({ kid, signsFrom: new Date(minute * MINUTE_MS) })
const at = (minute: number) => minute * MINUTE_MS

describe('rotation of signing keys', () => {
  test('lets the first key sign immediately', () => {
    expect(planRotation([], at(5), rule)).toEqual({ spentKids: [], signsFrom: new Date(at(5)) })
  })

  test('gives an old key a successor, which signs only after it was published for the lead time', () => {
    expect(planRotation([key('a', 0)], at(999), rule).signsFrom).toBeNull()
    expect(planRotation([key('a', 0)], at(1_000), rule).signsFrom).toEqual(
      new Date(at(1_000) + PUBLISH_LEAD_MS),
    )
  })

  test('ignores the age of the key on demand', () => {
    expect(planRotation([key('a', 0)], at(1), { ...rule, now: true }).signsFrom).toEqual(
      new Date(at(1) + PUBLISH_LEAD_MS),
    )
  })

  test('publishes a replaced key until the last token that it signed has expired', () => {
    const keys = [key('a', 0), key('b', 100)]
    expect(planRotation(keys, at(116), rule).spentKids).toEqual([])
    expect(planRotation(keys, at(116) + 1, rule).spentKids).toEqual(['a'])
  })
})
