import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { HmacKey } from './hmac.ts'

const repeated = (byte: number, count: number) => Buffer.alloc(count, byte)
const counted = Buffer.from(Array.from({ length: 25 }, (_, index) => index + 1))
const LONGER_THAN_A_BLOCK = repeated(0xaa, 131)

/** RFC 4231 §4, without the case whose output is cut off. */
test.each([
  [
    '1',
    repeated(0x0b, 20),
    Buffer.from('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    '2',
    Buffer.from('Jefe'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    '3',
    repeated(0xaa, 20),
    repeated(0xdd, 50),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  ['4', counted, repeated(0xcd, 50), '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b'],
  [
    '6',
    LONGER_THAN_A_BLOCK,
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    '7',
    LONGER_THAN_A_BLOCK,
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
])('matches RFC 4231, test case %s', (_case, key, data, mac) => {
  expect(new HmacKey(key).macOf('', data, 'hex')).toBe(mac)
})

test('matches createHmac for any key and message, also when keys and lengths alternate', () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength, size: 'max' })
  fc.assert(
    fc.property(
      bytes(200),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      bytes(1_000),
      (key, prefix, body) => {
        const expected = createHmac('sha256', key).update(prefix, 'latin1').update(body).digest('hex')
        expect(new HmacKey(Buffer.from(key)).macOf(prefix, Buffer.from(body), 'hex')).toBe(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('matches createHmac for every key length, and every message length around the size of the kept buffer', () => {
  const lengths = [0, 1, 55, 56, 63, 64, 65, 16_309, 16_310, 16_311, 70_000]
  for (let keyLength = 0; keyLength <= 130; keyLength += 1) {
    const key = repeated(keyLength, keyLength)
    for (const length of lengths) {
      const body = repeated(0x7a, length)
      const expected = createHmac('sha256', key).update('1700000000.').update(body).digest('hex')
      expect(new HmacKey(key).macOf('1700000000.', body, 'hex')).toBe(expected)
    }
  }
})

test('reveals nothing of the key when the object is printed', () => {
  const key = new HmacKey(Buffer.from('canary'))
  expect([JSON.stringify(key), inspect(key, { showHidden: true, depth: 9 })]).toEqual(['{}', 'HmacKey {}'])
})
