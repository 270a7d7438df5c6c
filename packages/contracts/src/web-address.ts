import { z } from 'zod'

export const MAX_URL_LENGTH = 2_048

/**
 * Characters that make parsers or readers disagree about an address: those that the WHATWG parser drops (tabs, line
 * breaks, spaces at the ends) or reads as a slash (`\`), and directional controls, which make it look like another one.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Z}\p{Bidi_Control}\\]/u

/** A scheme, two slashes and a host without credentials: RFC 3986 and the WHATWG parser read it alike. */
const WITH_HOST = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i

/** Why a text is not an acceptable web address, or null. @param protocols those that are accepted */
export const faultOfUrl = (
  text: string,
  protocols: readonly string[] = ['https:'],
): 'invalid_value' | 'not_https' | null => {
  const url = HIDDEN.test(text) ? null : URL.parse(text)
  if (url === null) return 'invalid_value'
  if (!protocols.includes(url.protocol)) return 'not_https'
  return WITH_HOST.test(text) ? null : 'invalid_value'
}

/** The expected form of an address that {@link faultOfUrl} refuses as `invalid_value`. */
export const EXPECTED_URL = 'https://, a host and no credentials; no blank, control character or backslash'

/** An https URL without credentials, at most 2,048 characters. It is stored and returned unchanged. */
export const HttpsUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .superRefine((value, context) => {
    const reason = faultOfUrl(value)
    if (reason !== null)
      context.addIssue({
        code: 'custom',
        params: { reason, expected: EXPECTED_URL },
        message: reason,
      })
  })
  .meta({ description: 'An https address without credentials' })
