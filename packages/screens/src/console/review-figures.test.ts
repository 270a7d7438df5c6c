import { expect, test } from '@jest/globals'
import { waitText } from './review-figures.ts'

test.each([
  [null, 'unknown'],
  [0, '1 minute'],
  [59, '59 minutes'],
  [60, '1 hour'],
  [150, '2 hours, 30 minutes'],
  [1_440, '1 day'],
  [4_400, '3 days, 1 hour'],
])('spells a wait of %s minutes', (minutes, text) => {
  expect(waitText(minutes)).toBe(text)
})
