import type { Caller, StaffRole } from '@causeway/contracts'
import type { AddressRule } from './allowed-addresses.ts'
import type { Bucket } from '../rate-limits/token-bucket.ts'

/** Who calls, once authenticated: what the checks need and what the services are told. */
export type Identity = Readonly<{
  /** What it is counted and logged under: the client's id, the merchant's, or whom the audit log names. */
  client: string
  /** The caller in JSON, built once a credential and not once a request. */
  callerJson: string
  /** The same with the partner's default capabilities, for operations that need them. */
  callerWithDefaultsJson: string
  /** The same with the limits that staff have set for the client, for operations that need them. */
  callerWithLimitsJson: string
  /** What the token allows; null where there are no scopes. */
  scopes: ReadonlySet<string> | null
  /** What the staff key allows; null for callers that are not staff. */
  role: StaffRole | null
  bucket: Bucket
  /** Where it may call from; null: from everywhere. */
  addressRule: AddressRule | null
  /** Whom the audit log names; null for callers that are not staff. */
  actor: string | null
}>

/** The caller of public resources. */
export const PUBLIC_CALLER_JSON = JSON.stringify({ kind: 'public' } satisfies Caller)

/**
 * Why a credential was refused, for the log alone; callers are told nothing of it. `unknown`: nobody has it, or it was
 * revoked. `forged`: the signature or what it signs is not ours. `ended`: the client is disabled, or its secret is gone.
 * `elsewhere`: the client may not call from the address.
 */
export type CredentialFault =
  'missing' | 'malformed' | 'unknown' | 'forged' | 'expired' | 'ended' | 'elsewhere'

/** Who calls, or why nobody that is known does. */
export type Authenticated = Identity | CredentialFault

/** Finds out who calls from the request's headers. */
export type Authenticate = (headers: NodeJS.Dict<string | string[]>) => Authenticated | Promise<Authenticated>

/** How one part of the API is protected. */
export type Realm = Readonly<{
  /** Every path that is this prefix or lies under it. */
  prefix: string
  authenticate: Authenticate
  /** Value of `WWW-Authenticate` on a 401 (RFC 9110 §11.6.1). */
  challenge: (presented: boolean) => string
  /** What the log calls the credential. */
  credential: 'access_token' | 'merchant_key' | 'staff_key'
}>
