import { API_KEY, STAFF_KEY } from '@causeway/contracts'
import type { CredentialFault, Realm } from './identity.ts'

/** Reason of a 401 as the caller receives it, in `details[0].reason` (decisions §59). */
type Reason = 'missing' | 'malformed' | 'invalid' | 'expired' | 'revoked'

/**
 * Reasons by fault. `expired` and `revoked` are only for credentials that were verified: the signature is ours, or the
 * keyed hash is stored. Everything else that was presented is `invalid`, so that the answer confirms no guess.
 */
const REASONS: Readonly<Record<CredentialFault, Reason>> = {
  missing: 'missing',
  malformed: 'malformed',
  unknown: 'invalid',
  forged: 'invalid',
  expired: 'expired',
  ended: 'revoked',
  revoked: 'revoked',
  elsewhere: 'invalid',
  without_role: 'invalid',
  not_here: 'invalid',
}

type Kind = Realm['credential'] | 'client_secret'

const NAMES: Readonly<Record<Kind, string>> = {
  access_token: 'an access token',
  merchant_key: 'a merchant’s API key',
  staff_key: 'a staff key',
  client_secret: 'a client secret',
}

const FORMS: readonly (readonly [Kind, RegExp])[] = [
  ['merchant_key', API_KEY],
  ['staff_key', STAFF_KEY],
  // Base64url of `{"`, and the three parts of a signed JWT (RFC 7515 §3.1).
  ['access_token', /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/],
  ['client_secret', /^[\w-]{43}$/],
]

const HEADERS: Readonly<Record<Realm['credential'], string>> = {
  access_token: 'Authorization: Bearer <access token>',
  merchant_key: 'x-api-key: <API key>',
  staff_key: 'Authorization: Bearer <staff key>',
}

const RENEWALS: Readonly<Record<Realm['credential'], string>> = {
  access_token: 'Request a new one with POST /api/oauth/token.',
  merchant_key: 'Ask the platform’s staff for another one.',
  staff_key: 'Ask an administrator for another one.',
}

const TEXTS: Readonly<Record<Reason, (kind: Realm['credential']) => string>> = {
  missing: (kind) => `No credential was sent. Send the header ${HEADERS[kind]}.`,
  malformed: (kind) => `The header is malformed. Send ${HEADERS[kind]}, and nothing after it.`,
  invalid: (kind) => `The credential is not valid here. Send ${NAMES[kind]} that this platform issued.`,
  expired: (kind) => `The credential has expired. ${RENEWALS[kind]}`,
  revoked: (kind) => `The credential was revoked, or has ended with its client or secret. ${RENEWALS[kind]}`,
}

type Headers = NodeJS.Dict<string | string[]>

/** The presented credential, in whichever header it came. */
const presentedIn = (headers: Headers, { credential }: Pick<Realm, 'credential'>): string => {
  const bearer = String(headers['authorization'] ?? '').replace(/^Bearer +/i, '')
  const key = String(headers['x-api-key'] ?? '')
  return (credential === 'merchant_key' ? key || bearer : bearer || key).trim()
}

/** The kind of a credential that its form alone shows to be another one than the realm’s; null otherwise. */
const otherKindOf = (headers: Headers, realm: Pick<Realm, 'credential'>): Kind | null => {
  const presented = presentedIn(headers, realm)
  const kind = FORMS.find(([, form]) => form.test(presented))?.[0] ?? null
  return kind === realm.credential ? null : kind
}

/** Returns the text and the details of a 401: why the credential was refused, and what to send instead. */
export const credentialAnswer = (
  fault: CredentialFault,
  realm: Pick<Realm, 'credential'>,
  headers: Headers,
): Readonly<{ message: string; details: readonly [Readonly<{ reason: Reason | 'wrong_kind' }>] }> => {
  const reason = REASONS[fault]
  const other = otherKindOf(headers, realm)
  if (other !== null) {
    const { credential } = realm
    const message = `This is ${NAMES[other]}. Send ${NAMES[credential]}: ${HEADERS[credential]}.`
    return { message, details: [{ reason: 'wrong_kind' }] }
  }
  return { message: TEXTS[reason](realm.credential), details: [{ reason }] }
}
