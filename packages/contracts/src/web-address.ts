import { z } from 'zod'

export const MAX_URL_LENGTH = 2_048

/**
 * What the WHATWG parser drops (tabs, line breaks, spaces at the ends), reads as a slash (`\`), or what makes an address
 * look like another one (directional controls): whoever reads the text with another parser would go elsewhere.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Z}\p{Bidi_Control}\\]/u

/** A scheme, two slashes and a host without credentials: RFC 3986 and the WHATWG parser read it alike. */
const WITH_HOST = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i

/** Why a text is no address of the web that may be kept, or null. @param protocols those that are taken */
export const faultOfUrl = (
  text: string,
  protocols: readonly string[] = ['https:'],
): 'invalid_value' | 'not_https' | null => {
  const url = HIDDEN.test(text) ? null : URL.parse(text)
  if (url === null) return 'invalid_value'
  if (!protocols.includes(url.protocol)) return 'not_https'
  return WITH_HOST.test(text) ? null : 'invalid_value'
}

/** An https URL without credentials, at most 2,048 characters. It is kept and given back as it was written. */
export const HttpsUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .superRefine((value, context) => {
    const reason = faultOfUrl(value)
    if (reason !== null) context.addIssue({ code: 'custom', params: { reason }, message: reason })
  })
