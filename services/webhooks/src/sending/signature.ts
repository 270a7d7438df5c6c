import { HmacKey } from './hmac.ts'

/** The HMAC key of a destination: its secret's text, the 64 hex characters as ASCII bytes (decisions §12). */
export const signingKey = (secret: string): HmacKey => new HmacKey(Buffer.from(secret, 'ascii'))

/**
 * `x-signature` of one attempt (spec: Delivery and signing): `v1=` and the hex HMAC-SHA256 of
 * `<x-timestamp>.<raw body>`.
 * @param timestamp Unix seconds as text, the very value of `x-timestamp`
 * @param body the exact bytes that are sent
 */
export const signatureOf = (key: HmacKey, timestamp: string, body: Buffer): string =>
  `v1=${key.hexOf(`${timestamp}.`, body)}`

/**
 * The headers of one attempt as the HTTP client's flat list (spec: Delivery and signing).
 * @param id the destination's, sent as `x-webhook-id`
 * @param body the exact bytes that are sent
 * @param atMs when the attempt is made, by the receiver's clock
 */
export const signedHeaders = (
  { id, key }: Readonly<{ id: string; key: HmacKey }>,
  body: Buffer,
  atMs: number,
): string[] => {
  const timestamp = String(Math.floor(atMs / 1000))
  return [
    'content-type',
    'application/json',
    'user-agent',
    'Causeway-Webhooks/1',
    'x-webhook-id',
    id,
    'x-timestamp',
    timestamp,
    'x-signature',
    signatureOf(key, timestamp, body),
  ]
}
