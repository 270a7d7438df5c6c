import { expect, test } from '@jest/globals'
import { judgeIdempotencyKey } from './idempotency-key.ts'

test('no header is idempotency_key_required', () => {
  expect(judgeIdempotencyKey(undefined)).toEqual({ ok: false, code: 'idempotency_key_required' })
})

test.each([
  ['', 'too_short'],
  ['a'.repeat(256), 'too_long'],
  ['a b', 'invalid_value'],
  ['ключ', 'invalid_value'],
  ['a\u007f', 'invalid_value'],
])('%j is invalid_request as %s', (header, reason) => {
  expect(judgeIdempotencyKey(header)).toEqual({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'Idempotency-Key', reason }],
  })
})

test.each(['a', '!~', 'a'.repeat(255)])('%j is a key', (header) => {
  expect(judgeIdempotencyKey(header)).toEqual({ ok: true, key: header })
})
