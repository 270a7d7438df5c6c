import { expect, test } from '@jest/globals'
import { parseIdempotencyKey } from './idempotency-key.ts'

test('refuses a request without the header as idempotency_key_required', () => {
  expect(parseIdempotencyKey({ idempotent: true }, undefined)).toEqual({
    ok: false,
    code: 'idempotency_key_required',
  })
})

test.each([
  ['', 'too_short'],
  ['a'.repeat(256), 'too_long'],
  ['a b', 'invalid_value'],
  ['ключ', 'invalid_value'],
  ['a\u007f', 'invalid_value'],
])('refuses the key %j as invalid_request with %s', (header, reason) => {
  expect(parseIdempotencyKey({ idempotent: true }, header)).toEqual({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'Idempotency-Key', reason, expected: '1 to 255 visible ASCII characters (! to ~)' }],
  })
})

test.each(['a', '!~', 'a'.repeat(255)])('accepts the key %j', (header) => {
  expect(parseIdempotencyKey({ idempotent: true }, header)).toEqual({ ok: true, key: header })
})

test('reads a key that is optional only where it is sent, and none where there is nothing to name', () => {
  expect(parseIdempotencyKey({ idempotent: 'optional' }, undefined)).toBeNull()
  expect(parseIdempotencyKey({ idempotent: 'optional' }, 'k-1')).toEqual({ ok: true, key: 'k-1' })
  expect(parseIdempotencyKey({ idempotent: 'optional' }, '')).toMatchObject({ code: 'invalid_request' })
  expect(parseIdempotencyKey({ idempotent: false }, '')).toBeNull()
})
