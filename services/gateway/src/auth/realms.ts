import { PREFIXES } from '@causeway/contracts'
import { isUnder } from '../http/console-host.ts'
import type { Authenticated, Realm } from './identity.ts'

/** Bearer challenge (RFC 6750 §3); it has an error code only when a token was presented. */
const bearerChallenge = (presented: boolean): string =>
  presented ? 'Bearer realm="causeway", error="invalid_token"' : 'Bearer realm="causeway"'

/** Challenge of a token that lacks scopes (RFC 6750 §3.1). */
export const scopeChallenge = (scopes: readonly string[]): string =>
  `Bearer realm="causeway", error="insufficient_scope", scope="${scopes.join(' ')}"`

/** Authenticates callers by credentials of one kind, given the value of the header that carries them. */
type Authenticator = Readonly<{
  authenticate: (header: string | undefined) => Authenticated | Promise<Authenticated>
}>

/** The protected parts of the API (spec: Authentication; decisions §14). */
export const createRealms = ({
  tokens,
  merchants,
  staff,
}: Readonly<Record<'tokens' | 'merchants' | 'staff', Authenticator>>): readonly Realm[] => [
  {
    prefix: PREFIXES.partner,
    credential: 'access_token',
    authenticate: (headers) => tokens.authenticate(headers['authorization'] as string | undefined),
    challenge: bearerChallenge,
  },
  {
    prefix: PREFIXES.merchant,
    credential: 'merchant_key',
    authenticate: (headers) => merchants.authenticate(headers['x-api-key'] as string | undefined),
    challenge: () => 'ApiKey realm="causeway"',
  },
  {
    prefix: PREFIXES.operator,
    credential: 'staff_key',
    authenticate: (headers) => staff.authenticate(headers['authorization'] as string | undefined),
    challenge: bearerChallenge,
  },
]

/** The protected part of the API that a path belongs to; null for public paths. */
export const realmOf = <R extends Pick<Realm, 'prefix'>>(realms: readonly R[], path: string): R | null =>
  realms.find(({ prefix }) => isUnder(path, prefix)) ?? null
