import { expect, test } from '@jest/globals'
import { FROZEN_AFTER_MS } from './database-pair.ts'

/** The longest promotion that docs/CLUSTER.md measured, rounded up. */
const PROMOTION_MS = 4_000

test('gives a frozen primary up early enough for its standby to take over within ten seconds', () => {
  expect(FROZEN_AFTER_MS + PROMOTION_MS).toBeLessThan(10_000)
})
