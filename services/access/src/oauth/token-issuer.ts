import { randomUUID } from 'node:crypto'
import type { Clock } from '@causeway/chassis'
import { SCOPES, TOKEN_ALGORITHM, type Scope } from '@causeway/contracts'
import { SignJWT } from 'jose'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { Keyring } from '../signing-keys/keyring.ts'

/** An access token with the fields of its reply (RFC 6749 §5.1). */
type IssuedToken = { access_token: string; expires_in: number; scope: string }

export type IssuerOptions = Readonly<{
  clock: Clock
  keyring: Keyring
  issuer: string
  tokenTtlMs: number
}>

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** The requested scopes, or every scope held when none is requested; null when one of them is not held. */
export const grantScopes = (wanted: string | null, held: readonly Scope[]): Scope[] | null => {
  if (wanted === null) return SCOPES.filter((scope) => held.includes(scope))
  const names = wanted.split(' ')
  const known = names.every((name) => SCOPE_TOKEN.test(name) && held.some((scope) => scope === name))
  return known ? SCOPES.filter((scope) => names.includes(scope)) : null
}

export const createTokenIssuer = (options: IssuerOptions) => {
  const { clock, keyring, issuer } = options

  return {
    /** Issues a token to an authenticated client (RFC 9068 §2); null when it does not hold a scope that it asks for. */
    async issue(client: AuthenticatedClient, wantedScope: string | null): Promise<IssuedToken | null> {
      const scopes = grantScopes(wantedScope, client.scopes)
      if (scopes === null) return null
      const { kid, privateKey } = keyring.signer()
      const issuedAt = Math.floor(clock.nowMs() / 1_000)
      const expiresInSeconds = Math.max(1, Math.floor(options.tokenTtlMs / 1_000))
      const scope = scopes.join(' ')
      const accessToken = await new SignJWT({
        client_id: client.clientId,
        partner_id: client.partnerId,
        scope,
        credential_id: client.credentialId,
      })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: 'at+jwt', kid })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(client.clientId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .sign(privateKey)
      return { access_token: accessToken, expires_in: expiresInSeconds, scope }
    },
  }
}
