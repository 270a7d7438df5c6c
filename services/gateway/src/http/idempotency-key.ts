import type { ErrorDetail } from '@causeway/contracts'

const MAX_LENGTH = 255
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

type Verdict = Readonly<
  | { ok: true; key: string }
  | { ok: false; code: 'idempotency_key_required' | 'invalid_request'; details?: readonly ErrorDetail[] }
>

const bad = (reason: 'too_short' | 'too_long' | 'invalid_value'): Verdict => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field: 'Idempotency-Key', reason }],
})

/** Judges the header `Idempotency-Key`: 1 to 255 visible ASCII characters (decisions §1). */
export const judgeIdempotencyKey = (header: string | undefined): Verdict => {
  if (header === undefined) return { ok: false, code: 'idempotency_key_required' }
  if (header.length === 0) return bad('too_short')
  if (header.length > MAX_LENGTH) return bad('too_long')
  return VISIBLE_ASCII.test(header) ? { ok: true, key: header } : bad('invalid_value')
}
