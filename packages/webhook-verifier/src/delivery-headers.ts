import { VerificationError } from './verification-error.ts'

/** Headers as `fetch` gives them, or as Node's `request.headers` or `headersDistinct`; names in any case. */
export type DeliveryHeaders =
  { get: (name: string) => string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

const isGetter = (headers: DeliveryHeaders): headers is { get: (name: string) => string | null } =>
  typeof headers['get'] === 'function'

const valueOf = (headers: DeliveryHeaders, wanted: string): unknown => {
  if (isGetter(headers)) return headers.get(wanted)
  const name = Object.keys(headers).find((found) => found.toLowerCase() === wanted)
  return name === undefined ? undefined : headers[name]
}

const textOf = (headers: DeliveryHeaders, name: string): string => {
  const [value, ...more]: unknown[] = [valueOf(headers, name)].flat()
  if (value === undefined || value === null || value === '')
    throw new VerificationError(
      'missing_header',
      `The header ${name} is missing: pass the headers of the request as they came, and let no proxy drop it`,
    )
  if (typeof value !== 'string' || more.length > 0)
    throw new VerificationError(
      'malformed_header',
      `The header ${name} came more than once: refuse the request`,
    )
  return value
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )

/** The parsed signature headers of a delivery. */
export type SignatureHeaders = Readonly<{
  /** Unix seconds as the sender wrote them: this text is signed. */
  timestamp: string
  /** 32 bytes each: that of `x-signature`, and during the overlap of a rotation that of `x-signature-next`. */
  signatures: readonly Uint8Array<ArrayBuffer>[]
}>

const signatureIn = (text: string): Uint8Array<ArrayBuffer> | null => {
  const hex = /^v1=([0-9a-f]{64})$/i.exec(text)?.[1]
  return hex === undefined ? null : bytesOf(hex)
}

/** Returns null if this package can read no further signature: then only `x-signature` proves the delivery. */
const nextSignature = (headers: DeliveryHeaders): Uint8Array<ArrayBuffer> | null => {
  const value: unknown = [valueOf(headers, 'x-signature-next')].flat()[0]
  return typeof value === 'string' ? signatureIn(value) : null
}

/** @throws VerificationError `missing_header` or `malformed_header` */
export const readSignatureHeaders = (headers: DeliveryHeaders): SignatureHeaders => {
  const timestamp = textOf(headers, 'x-timestamp')
  if (!/^\d{1,12}$/.test(timestamp))
    throw new VerificationError(
      'malformed_header',
      'x-timestamp is not a number of Unix seconds: refuse the request',
    )
  const signature = signatureIn(textOf(headers, 'x-signature'))
  if (signature === null)
    throw new VerificationError(
      'malformed_header',
      'x-signature is not v1= and 64 hex digits: refuse the request, or update this package if the scheme is newer',
    )
  const next = nextSignature(headers)
  return { timestamp, signatures: next === null ? [signature] : [signature, next] }
}
