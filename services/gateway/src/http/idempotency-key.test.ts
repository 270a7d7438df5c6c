import { expect, test } from '@jest/globals'
import { parseIdempotencyKey } from './idempotency-key.ts'

test('no header is idempotency_key_required', () => {
  expect(parseIdempotencyKey(undefined)).toEqual({ ok: false, code: 'idempotency_key_required' })
})

test.each([
  ['', 'too_short'],
  ['a'.repeat(256), 'too_long'],
  ['a b', 'invalid_value'],
  ['ключ', 'invalid_value'],
  ['a\u007f', 'invalid_value'],
])('%j is invalid_request as %s', (header, reason) => {
  expect(parseIdempotencyKey(header)).toEqual({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'Idempotency-Key', reason, expected: '1 to 255 visible ASCII characters (! to ~)' }],
  })
})

test.each(['a', '!~', 'a'.repeat(255)])('%j is a key', (header) => {
  expect(parseIdempotencyKey(header)).toEqual({ ok: true, key: header })
})
