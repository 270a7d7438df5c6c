import { expect, test } from '@jest/globals'
import { payoutOfReference } from './statement.ts'

const ID = '01h455vb4pex5vsknk084sn02q'

test.each([
  [`pay-${ID}`, `pay_${ID}`],
  [` PAY-${ID.toUpperCase()} `, `pay_${ID}`],
  [`pay_${ID}`, null],
  [`pay-${ID}x`, null],
  [`x pay-${ID}`, null],
  [`pfl-${ID}`, null],
  ['', null],
  [null, null],
])('reads the reference %j as the payout %j', (reference, payoutId) => {
  expect(payoutOfReference(reference)).toBe(payoutId)
})
