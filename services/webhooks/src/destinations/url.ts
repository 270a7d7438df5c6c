import { refuse } from '@causeway/chassis'
import { EXPECTED_URL, faultOfUrl, MAX_URL_LENGTH, type FieldReason } from '@causeway/contracts'
import { isIP } from 'node:net'
import { isAllowedAddress } from '../connect-guard/address.ts'
import { readTarget, type Target } from '../connect-guard/target.ts'

export type UrlPolicy = Readonly<{
  /** `WEBHOOK_ALLOW_INSECURE`: loopback and http pass. */
  allowInsecure: boolean
}>

export type ParsedUrl = Readonly<{ ok: true; target: Target }> | Readonly<{ ok: false; reason: FieldReason }>

/** Checks whether the URL contains a forbidden address as a literal in any notation. */
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

const EXPECTED: Readonly<Partial<Record<FieldReason, string>>> = {
  too_long: `at most ${MAX_URL_LENGTH} characters`,
  forbidden_address: 'an address on the public internet',
}

/** Refuses the field `url` for the reason that {@link parseWebhookUrl} found. */
export const refuseUrl = (reason: FieldReason) =>
  refuse('invalid_request', [{ field: 'url', reason, expected: EXPECTED[reason] ?? EXPECTED_URL }])
