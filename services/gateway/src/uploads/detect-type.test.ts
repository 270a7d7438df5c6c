import { expect, test } from '@jest/globals'
import { detectType } from './detect-type.ts'

test.each([
  ['255044462d312e37', 'application/pdf'],
  ['89504e470d0a1a0a0000', 'image/png'],
  ['ffd8ffe000104a46', 'image/jpeg'],
  ['ffd8ffdb', 'image/jpeg'],
])('detects a file that begins with %s as %s', (head, type) => {
  expect(detectType(Buffer.from(head, 'hex'))).toBe(type)
})

test.each([
  ['nothing', ''],
  ['a PDF header that is cut off', '25504446'],
  ['a PDF header that does not come first', '0a255044462d'],
  ['PNG with broken line ends', '89504e470a1a0a'],
  ['GIF', '474946383961'],
  ['a program', '7f454c460201'],
  ['HTML', Buffer.from('<html>%PDF-').toString('hex')],
])('rejects the type of %s', (_what, head) => {
  expect(detectType(Buffer.from(head, 'hex'))).toBeNull()
})
