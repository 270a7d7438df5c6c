import type { ErrorDetail, Operation } from '@causeway/contracts'

const MAX_LENGTH = 255
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

type ParsedKey = Readonly<
  | { ok: true; key: string }
  | { ok: false; code: 'idempotency_key_required' | 'invalid_request'; details?: readonly ErrorDetail[] }
>

const invalid = (reason: 'too_short' | 'too_long' | 'invalid_value'): ParsedKey => ({
  ok: false,
  code: 'invalid_request',
  details: [
    { field: 'Idempotency-Key', reason, expected: `1 to ${MAX_LENGTH} visible ASCII characters (! to ~)` },
  ],
})

/** Validates the header `Idempotency-Key`: 1 to 255 visible ASCII characters (decisions §1). Null if it is absent. */
export const parseIdempotencyKey = (
  { idempotent }: Pick<Operation, 'idempotent'>,
  header: string | undefined,
): ParsedKey | null => {
  if (idempotent === false) return null
  if (header === undefined)
    return idempotent === 'optional' ? null : { ok: false, code: 'idempotency_key_required' }
  if (header.length === 0) return invalid('too_short')
  if (header.length > MAX_LENGTH) return invalid('too_long')
  return VISIBLE_ASCII.test(header) ? { ok: true, key: header } : invalid('invalid_value')
}
