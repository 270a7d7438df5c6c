/**
 * Deliveries with the expected result of their verification, for receivers in any language. They are signed by the code
 * that signs the platform's own deliveries.
 */
import { HmacKey } from '../../packages/chassis/src/hmac.ts'
import type { VerificationFailure } from '../../packages/webhook-verifier/src/index.ts'
import { signatureOf, signingKey } from '../../services/webhooks/src/sending/signature.ts'

type Vector = Readonly<{
  name: string
  /** The delivery may be signed with any of them. */
  secrets: readonly string[]
  headers: Readonly<Record<string, string>>
  /** The exact text of the body, in UTF-8. */
  body: string
  /** Unix seconds at the receiver. */
  now: number
  tolerance_seconds: number
  expect: Result
}>

/** `verified`, or the `code` of the kit's error, but for two that other languages have no use for. */
type Result = 'verified' | Exclude<VerificationFailure, 'body_not_raw' | 'wrong_channel'>

/** Cause of each result, in the order in which a receiver checks. */
const RESULTS: Readonly<Record<Result, string>> = {
  missing_secret: 'the receiver has no secret, or only empty ones',
  missing_header: 'x-timestamp or x-signature is not there or is empty',
  malformed_header:
    'x-timestamp is not 1 to 12 ASCII digits, x-signature is not "v1=" and 64 hex digits of either case, or one of them came twice',
  no_matching_signature: 'the signature was made with a different secret',
  stale_timestamp: 'x-timestamp is more than tolerance_seconds before or after now',
  body_not_json: 'the body is not UTF-8, or is no JSON',
  unknown_envelope:
    'the body is JSON but no event: neither an object with a text `event`, nor one with the texts `event_type` and `event_id`',
  verified: 'nothing of the above; fields that the receiver does not know change nothing',
}

const SECRET = '3b7f5cf9a2d04e8c91b6d7e05a48f3c2e1907d6b5a4c3f2e1d0c9b8a79685746'
const NEXT_SECRET = 'c0ffee11223344556677889900aabbccddeeff00112233445566778899aabbcc'
const OTHER_SECRET = '00000000000000000000000000000000000000000000000000000000deadbeef'
const SENT_AT = 1_795_000_000

const PARTNER_BODY = JSON.stringify({
  event_id: 'evt_01m7y4bketen9bys6f6bvn4rsy',
  event_type: 'payment.confirmed',
  created_at: '2026-11-21T04:03:15.544Z',
  partner_id: 'prt_01m7y4bjdvf219h58j5z2mc5kv',
  data: {
    partner_customer_id: 'pcu_01m7y4bk9ye8k9v49yx9nwefsk',
    rail: 'fiat',
    order_id: 'fio_01m7y4bkbpen9bys5sawcyq5d6',
    order_key: '1042',
    merchant_reference: 'Café №7 – “größer”',
    status: 'paid',
    currency: 'EUR',
    total_cents: 10_250,
  },
})
const MERCHANT_BODY =
  '{"event":"test","order":{"id":"ord_01m7y4bkbpen9bys5sawcyq5d6","reference":"TEST","chain":"BTC","asset":"BTC","amount":"0.001","status":"pending"}}'

const signedWith = (key: ReturnType<typeof signingKey>, body: string, timestamp = String(SENT_AT)) => ({
  'x-webhook-id': 'whk_01m7y4bkbpen9bys5sawcyq5d6',
  'x-timestamp': timestamp,
  'x-signature': signatureOf(key, timestamp, Buffer.from(body)),
})
const headers = signedWith(signingKey(SECRET), PARTNER_BODY)
/** During the overlap of a rotation; a receiver may read the second signature, and need not. */
const overlapping = {
  ...headers,
  'x-signature-next': signedWith(signingKey(NEXT_SECRET), PARTNER_BODY)['x-signature'],
}
const without = (name: keyof typeof headers) =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))

const vector = (name: string, expect: Result, changes: Partial<Vector> = {}): Vector => ({
  name,
  secrets: [SECRET],
  headers,
  body: PARTNER_BODY,
  now: SENT_AT + 2,
  tolerance_seconds: 300,
  ...changes,
  expect,
})
const signedBody = (body: string) => ({ body, headers: signedWith(signingKey(SECRET), body) })

export const VECTORS: readonly Vector[] = [
  vector('an event of the partner channel', 'verified'),
  vector('an event of the merchant channel', 'verified', signedBody(MERCHANT_BODY)),
  vector('header names in capitals', 'verified', {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  }),
  vector('rotation: signed with the old of two secrets', 'verified', { secrets: [NEXT_SECRET, SECRET] }),
  vector('rotation: signed with the new of two secrets', 'verified', {
    secrets: [SECRET, NEXT_SECRET],
    headers: signedWith(signingKey(NEXT_SECRET), PARTNER_BODY),
  }),
  vector('rotation: both have signed, the receiver has the former secret', 'verified', {
    headers: overlapping,
  }),
  vector('rotation: both have signed, the receiver has both', 'verified', {
    secrets: [NEXT_SECRET, SECRET],
    headers: overlapping,
  }),
  vector('rotation: both have signed, the receiver has neither', 'no_matching_signature', {
    secrets: [OTHER_SECRET],
    headers: overlapping,
  }),
  vector('as old as is tolerated', 'verified', { now: SENT_AT + 300 }),
  vector('as far ahead as is tolerated', 'verified', { now: SENT_AT - 300 }),
  vector(
    'a field that the receiver does not know',
    'verified',
    signedBody('{"event":"test","order":{},"new":1}'),
  ),
  vector('a signature in capitals', 'verified', {
    headers: { ...headers, 'x-signature': `v1=${headers['x-signature'].slice(3).toUpperCase()}` },
  }),
  vector('a second too old', 'stale_timestamp', { now: SENT_AT + 301 }),
  vector('a second too far ahead', 'stale_timestamp', { now: SENT_AT - 301 }),
  vector('replayed an hour later', 'stale_timestamp', { now: SENT_AT + 3_600 }),
  vector('an old delivery under a new timestamp', 'no_matching_signature', {
    headers: { ...headers, 'x-timestamp': String(SENT_AT + 1) },
  }),
  vector('another secret', 'no_matching_signature', { secrets: [OTHER_SECRET] }),
  vector('a changed body', 'no_matching_signature', { body: PARTNER_BODY.replace('10250', '1') }),
  vector('the body parsed and written again with spaces', 'no_matching_signature', {
    body: JSON.stringify(JSON.parse(PARTNER_BODY), null, 1),
  }),
  vector('a body cut off', 'no_matching_signature', { body: PARTNER_BODY.slice(0, -1) }),
  vector('the key taken as 32 bytes instead of 64 characters', 'no_matching_signature', {
    headers: signedWith(new HmacKey(Buffer.from(SECRET, 'hex')), PARTNER_BODY),
  }),
  vector('the body signed without its timestamp', 'no_matching_signature', {
    headers: { ...headers, 'x-signature': signatureOf(signingKey(SECRET), '', Buffer.from(PARTNER_BODY)) },
  }),
  vector('one digit of the signature changed', 'no_matching_signature', {
    headers: {
      ...headers,
      'x-signature': headers['x-signature'].replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    },
  }),
  vector('no signature', 'missing_header', { headers: without('x-signature') }),
  vector('no timestamp', 'missing_header', { headers: without('x-timestamp') }),
  vector('an empty signature', 'missing_header', { headers: { ...headers, 'x-signature': '' } }),
  vector('an empty timestamp', 'missing_header', { headers: { ...headers, 'x-timestamp': '' } }),
  vector('a signature of another scheme', 'malformed_header', {
    headers: { ...headers, 'x-signature': headers['x-signature'].replace('v1=', 'v2=') },
  }),
  vector('a signature without its scheme', 'malformed_header', {
    headers: { ...headers, 'x-signature': headers['x-signature'].slice('v1='.length) },
  }),
  vector('a signature cut off', 'malformed_header', {
    headers: { ...headers, 'x-signature': headers['x-signature'].slice(0, -2) },
  }),
  vector('a timestamp with a fraction', 'malformed_header', {
    headers: { ...headers, 'x-timestamp': `${SENT_AT}.5` },
  }),
  vector('a timestamp as a date', 'malformed_header', {
    headers: { ...headers, 'x-timestamp': '2026-11-18T09:46:40Z' },
  }),
  vector('a negative timestamp', 'malformed_header', {
    headers: signedWith(signingKey(SECRET), PARTNER_BODY, '-1'),
  }),
  vector('a signed body that is no JSON', 'body_not_json', signedBody('event=test')),
  vector('a signed empty body', 'body_not_json', signedBody('')),
  vector('a signed body that is no event', 'unknown_envelope', signedBody('[1,2]')),
  vector('a signed body with another kind of name', 'unknown_envelope', signedBody('{"event":7}')),
  vector('a signed body that is null', 'unknown_envelope', signedBody('null')),
  vector(
    'a partner event without its id',
    'unknown_envelope',
    signedBody('{"event_type":"refund.completed"}'),
  ),
  vector('a receiver without a secret', 'missing_secret', { secrets: [] }),
]

/** The text of the kit's `vectors.json`. */
export const writeVectors = (): string =>
  `${JSON.stringify(
    {
      scheme:
        'x-signature = "v1=" + hex(HMAC-SHA256(key, x-timestamp + "." + body)); the key is the secret\'s text',
      order: 'as in `results`: the first that applies is the result',
      results: RESULTS,
      vectors: VECTORS,
    },
    null,
    2,
  )}\n`
