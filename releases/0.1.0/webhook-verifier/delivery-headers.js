import { VerificationError } from './verification-error.js'

/** Headers as `fetch` gives them, or as Node's `request.headers` or `headersDistinct`; names in any case. */

const isGetter = (headers) => typeof headers['get'] === 'function'

const valueOf = (headers, wanted) => {
  if (isGetter(headers)) return headers.get(wanted)
  const name = Object.keys(headers).find((found) => found.toLowerCase() === wanted)
  return name === undefined ? undefined : headers[name]
}

const textOf = (headers, name) => {
  const [value, ...more] = [valueOf(headers, name)].flat()
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

const bytesOf = (hex) =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )

/** The parsed signature headers of a delivery. */

/** @throws VerificationError `missing_header` or `malformed_header` */
export const readSignatureHeaders = (headers) => {
  const timestamp = textOf(headers, 'x-timestamp')
  if (!/^\d{1,12}$/.test(timestamp))
    throw new VerificationError(
      'malformed_header',
      'x-timestamp is not a number of Unix seconds: refuse the request',
    )
  const signature = /^v1=([0-9a-f]{64})$/i.exec(textOf(headers, 'x-signature'))?.[1]
  if (signature === undefined)
    throw new VerificationError(
      'malformed_header',
      'x-signature is not v1= and 64 hex digits: refuse the request, or update this package if the scheme is newer',
    )
  return { timestamp, signature: bytesOf(signature) }
}
