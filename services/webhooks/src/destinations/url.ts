import { faultOfUrl, MAX_URL_LENGTH, type FieldReason } from '@causeway/contracts'
import { isIP } from 'node:net'
import { isAllowedAddress } from '../connect-guard/address.ts'

/** A destination's URL, parsed once. */
export type Target = Readonly<{
  /** `https:`; `http:` in the sandbox alone. */
  protocol: 'https:' | 'http:'
  /** Lower-case name, dotted IPv4 or IPv6 without brackets: every other spelling is resolved by now. */
  hostname: string
  port: number
  /** Scheme, host and port, as the HTTP client wants it. */
  origin: string
  /** Path and query; a fragment is never sent. */
  path: string
}>

export type UrlPolicy = Readonly<{
  /** `WEBHOOK_ALLOW_INSECURE`: loopback and http pass. */
  allowInsecure: boolean
}>

export type ParsedUrl = Readonly<{ ok: true; target: Target }> | Readonly<{ ok: false; reason: FieldReason }>

const bare = (hostname: string) => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** The target of a URL, without the checks of a registration; null when it is no http or https URL. */
export const readTarget = (text: string): Target | null => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const { protocol, origin, pathname, search } = url
  return { protocol, hostname: bare(url.hostname), port, origin, path: pathname + search }
}

/** Whether the URL names an address that no delivery may reach, by a literal in any spelling. */
const isForbiddenAddress = (text: string, policy: UrlPolicy): boolean => {
  const target = readTarget(text)
  return (
    target !== null && isIP(target.hostname) !== 0 && !isAllowedAddress(target.hostname, policy.allowInsecure)
  )
}

const hasCredentials = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.username !== '' || url.password !== '')
}

/**
 * Validates a URL when it is registered (decisions §12). The WHATWG parser turns decimal, octal, hexadecimal,
 * short and full-width spellings of an IPv4 address into the dotted form, so that one check sees them all.
 * A name passes here; its addresses are checked at every connect. A forbidden address is reported as such even where
 * the form of its URL would be refused.
 */
export const parseWebhookUrl = (text: string, policy: UrlPolicy): ParsedUrl => {
  if (text.length > MAX_URL_LENGTH) return { ok: false, reason: 'too_long' }
  const fault = faultOfUrl(text, policy.allowInsecure ? ['https:', 'http:'] : ['https:'])
  if (fault === 'not_https' || hasCredentials(text)) return { ok: false, reason: fault ?? 'invalid_value' }
  if (isForbiddenAddress(text, policy)) return { ok: false, reason: 'forbidden_address' }
  const target = readTarget(text)
  return fault === null && target ? { ok: true, target } : { ok: false, reason: fault ?? 'invalid_value' }
}
