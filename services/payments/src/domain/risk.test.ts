import { describe, expect, it } from '@jest/globals'
import { judgeRisk } from './risk.ts'

describe('disputes of one address', () => {
  it.each([
    [{ a: 2 }, []],
    [{ a: 3 }, ['a']],
    [{ a: 1, b: 1 }, ['a', 'b']],
  ])('%j alert the merchants %j', (counts, alerted) => {
    expect([...judgeRisk(new Map(Object.entries(counts))).keys()]).toEqual(alerted)
  })
})
