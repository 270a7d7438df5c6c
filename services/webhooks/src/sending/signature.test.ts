import { expect, test } from '@jest/globals'
import { signatureOf, signingKey } from './signature.ts'

/** Computed with `printf '%s' '1700000000.{"a":"é"}' | openssl dgst -sha256 -hmac <secret>`. */
const SECRET = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const EXPECTED = 'v1=96285d1da15fd9f46272561a26eecf7b698461517c86312933c7a13e85e237fa'

test('computes the HMAC of timestamp, dot and raw bytes, keyed by the secret as text', () => {
  expect(signatureOf(signingKey(SECRET), '1700000000', Buffer.from('{"a":"é"}'))).toBe(EXPECTED)
})

test('signs another body, time or secret differently', () => {
  const body = Buffer.from('{}')
  const signatures = [
    signatureOf(signingKey(SECRET), '1', body),
    signatureOf(signingKey(SECRET), '2', body),
    signatureOf(signingKey(SECRET), '1', Buffer.from('{ }')),
    signatureOf(signingKey(SECRET.replace('0', '1')), '1', body),
  ]
  expect(new Set(signatures).size).toBe(4)
})
