import type { KeyObject } from 'node:crypto'
import { signatureOf } from './signature.ts'

/**
 * The headers of one attempt as the HTTP client's flat list (spec: Delivery and signing).
 * @param id the destination's, sent as `x-webhook-id`
 * @param body the exact bytes that are sent
 * @param atMs when the attempt is made, by the receiver's clock
 */
export const signedHeaders = (
  { id, key }: Readonly<{ id: string; key: KeyObject }>,
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
