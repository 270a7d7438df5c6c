import { HmacKey } from '@causeway/chassis'

/** The HMAC key of a destination: its secret's text, the 64 hex characters as ASCII bytes (decisions §12). */
export const signingKey = (secret: string): HmacKey => new HmacKey(Buffer.from(secret, 'ascii'))

/**
 * `x-signature` of one attempt (spec: Delivery and signing): `v1=` and the hex HMAC-SHA256 of
 * `<x-timestamp>.<raw body>`.
 * @param timestamp Unix seconds as text, the very value of `x-timestamp`
 * @param body the exact bytes that are sent
 */
export const signatureOf = (key: HmacKey, timestamp: string, body: Buffer): string =>
  `v1=${key.macOf(`${timestamp}.`, body, 'hex')}`
