import type { Caller, StaffRole } from '@causeway/contracts'
import type { AddressRule } from './allowed-addresses.ts'
import type { Bucket } from '../rate-limits/token-bucket.ts'

/** An authenticated caller: what the checks need, and what services receive. */
export type Identity = Readonly<{
  /** Id for rate limits and logs: of the client, of the merchant, or of the staff key. */
  client: string
  /** The caller in JSON, built once per credential and not once per request. */
  callerJson: string
  /** The same with the partner's default capabilities, for operations that need them. */
  callerWithDefaultsJson: string
  /** The same with the client's limits, which staff set, for operations that need them. */
  callerWithLimitsJson: string
  /** Scopes of the token; null for callers without scopes. */
  scopes: ReadonlySet<string> | null
  /** Role of the staff key; null for callers that are not staff. */
  role: StaffRole | null
  bucket: Bucket
  /** Addresses that it may call from; null: all. */
  addressRule: AddressRule | null
  /** Id of the staff key in the audit log; null for callers that are not staff. */
  actor: string | null
}>

/** The caller of public resources. */
export const PUBLIC_CALLER_JSON = JSON.stringify({ kind: 'public' } satisfies Caller)

/**
 * Why a credential was refused, for the log; the caller receives the reason that follows from it (credential-answer.ts).
 * `unknown`: it was never issued. `forged`: its signature or its claims are not ours. `ended`: its client is disabled, its
 * token was revoked, or its secret has ended. `revoked`: a key that was issued and is revoked.
 * `elsewhere`: its client may not call from this address. `without_role`: the identity provider knows the person, who has
 * no role here. `not_here`: a key of staff, where they sign in at the identity provider.
 */
export type CredentialFault =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'forged'
  | 'expired'
  | 'ended'
  | 'revoked'
  | 'elsewhere'
  | 'without_role'
  | 'not_here'

/** The caller, or why its credential is refused. */
export type Authenticated = Identity | CredentialFault

/** Authenticates a caller by the request's headers. */
export type Authenticate = (headers: NodeJS.Dict<string | string[]>) => Authenticated | Promise<Authenticated>

/** A part of the API, and how callers authenticate there. */
export type Realm = Readonly<{
  /** Protects this path and every path under it. */
  prefix: string
  authenticate: Authenticate
  /** Value of `WWW-Authenticate` on a 401 (RFC 9110 §11.6.1). */
  challenge: (presented: boolean) => string
  /** Kind of the credential in the log. */
  credential: 'access_token' | 'merchant_key' | 'staff_key'
}>
