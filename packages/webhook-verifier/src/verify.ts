import { readSignatureHeaders, type DeliveryHeaders, type SignatureHeaders } from './delivery-headers.ts'
import type { MerchantEvent, PartnerEvent } from './events.ts'
import { VerificationError } from './verification-error.ts'

/** An event of either channel: one with `event_type` is the partner channel's, one with `event` the merchant's. */
export type WebhookEvent = PartnerEvent | MerchantEvent

export type VerifyOptions = Readonly<{
  /**
   * How far `x-timestamp` may lie from now, in the past or the future. Default 300, the most that merchants may allow;
   * less than 60 refuses good deliveries.
   */
  toleranceSeconds?: number
  /** The time to compare `x-timestamp` with; default the present. */
  now?: Date
}>

/** One secret, or two during a rotation. */
export type Secrets = string | readonly string[]

/** The body exactly as it came: bytes, or their text if nothing has parsed and written it again. */
export type RawBody = string | Uint8Array | ArrayBuffer

const DEFAULT_TOLERANCE_SECONDS = 300

const secretsOf = (secret: Secrets): readonly string[] => {
  const secrets = [secret].flat().filter((text: unknown) => typeof text === 'string' && text !== '')
  if (secrets.length === 0)
    throw new VerificationError(
      'missing_secret',
      'There is no secret: pass the one that was shown when the webhook was created, or rotate it for a new one',
    )
  return secrets
}

const bytesOf = (rawBody: unknown): Uint8Array => {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (rawBody instanceof Uint8Array) return rawBody
  // By its tag: a buffer of another realm is not an instance of this realm's class.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody as ArrayBuffer)
  throw new VerificationError(
    'body_not_raw',
    'The body was parsed already: pass its raw bytes (express: express.raw({ type: "application/json" }))',
  )
}

/**
 * WebCrypto compares in constant time. Every secret is tried on every signature, so that the time does not reveal which
 * one matches.
 */
const isSignedBy = async (secrets: readonly string[], headers: SignatureHeaders, body: Uint8Array) => {
  const prefix = new TextEncoder().encode(`${headers.timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  const results = await Promise.all(
    secrets.map(async (secret) => {
      const bytes = new TextEncoder().encode(secret)
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'verify',
      ])
      const matches = await Promise.all(
        headers.signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
      )
      return matches.includes(true)
    }),
  )
  return results.includes(true)
}

const checkAge = (
  timestamp: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now }: VerifyOptions,
) => {
  // oxlint-disable-next-line causeway/one-clock -- receivers have no clock of the platform's
  const nowSeconds = Math.floor((now ?? new Date()).getTime() / 1000)
  const age = nowSeconds - Number(timestamp)
  if (Math.abs(age) <= toleranceSeconds) return
  throw new VerificationError(
    'stale_timestamp',
    age > 0
      ? `The delivery was signed ${age} s ago, more than ${toleranceSeconds}: refuse it; if fresh ones are refused, set this machine's clock`
      : `The delivery was signed ${-age} s in the future, more than ${toleranceSeconds}: set this machine's clock`,
  )
}

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new VerificationError(
      'body_not_json',
      'The body is signed but is no JSON: refuse it and tell the platform',
    )
  }
}

const hasText = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value && typeof value[field as never] === 'string'

/** Checks whether an event is of the partner channel. */
export const isPartnerEvent = (event: WebhookEvent): event is PartnerEvent => hasText(event, 'event_type')

/**
 * Verifies a delivery of either channel and gives its event (spec: Delivery and signing).
 * Checks the signature, then the timestamp, then the envelope. The fields of `data` and `order` are not checked, so that
 * a field that the platform adds breaks no receiver.
 * @throws VerificationError with a `code`, a message that says what to do, and the status to answer
 */
export const verify = async (
  rawBody: RawBody,
  headers: DeliveryHeaders,
  secret: Secrets,
  options: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const secrets = secretsOf(secret)
  const body = bytesOf(rawBody)
  const signature = readSignatureHeaders(headers)
  if (!(await isSignedBy(secrets, signature, body)))
    throw new VerificationError(
      'no_matching_signature',
      'The signature is of no secret of this webhook: refuse the delivery; if all are refused, check that the secret is the one of x-webhook-id and that the body is raw',
    )
  checkAge(signature.timestamp, options)
  const event = parse(body)
  if (!hasText(event, 'event') && !(hasText(event, 'event_type') && hasText(event, 'event_id')))
    throw new VerificationError('unknown_envelope', 'The body is no event that this package knows: update it')
  return event as WebhookEvent
}

/** As `verify`, for a destination of the partner channel. @throws VerificationError `wrong_channel` too */
export const verifyPartnerEvent = async (...delivery: Parameters<typeof verify>): Promise<PartnerEvent> => {
  const event = await verify(...delivery)
  if (isPartnerEvent(event)) return event
  throw new VerificationError(
    'wrong_channel',
    'This is an event of the merchant channel: use verifyMerchantEvent',
  )
}

/** As `verify`, for a webhook of the merchant channel. @throws VerificationError `wrong_channel` too */
export const verifyMerchantEvent = async (...delivery: Parameters<typeof verify>): Promise<MerchantEvent> => {
  const event = await verify(...delivery)
  if (!isPartnerEvent(event)) return event
  throw new VerificationError(
    'wrong_channel',
    'This is an event of the partner channel: use verifyPartnerEvent',
  )
}
