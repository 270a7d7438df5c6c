import { isId, type Clock, type Db, type Vault } from '@causeway/chassis'
import { matchingSecret, secretIdOf } from '../clients/secrets.ts'
import { claimedBy, verifyAssertion, type VerifiedClient } from './client-assertion.ts'
import { oauthError, type OAuthError, type PresentedCredentials } from './request.ts'
import { getEffectiveClient, type EffectiveClient } from './store.ts'

/** An authenticated client, and the id of the credential that it used. */
export type AuthenticatedClient = EffectiveClient & Readonly<{ credentialId: string }>

export type AuthenticateClient = (
  credentials: PresentedCredentials,
) => Promise<AuthenticatedClient | OAuthError>

type Options = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  /** Audiences of assertions that are accepted: the issuer, and the addresses of the endpoints. */
  audience: readonly string[]
}>

const bySecret = async (
  { db, vault, clock }: Options,
  clientId: string,
  clientSecret: string,
): Promise<VerifiedClient | null> => {
  const now = clock.now()
  const client = isId('client', clientId) ? await getEffectiveClient(db, { clientId, now }) : null
  const secret = matchingSecret(vault, clientId, clientSecret, client?.secrets ?? [])
  if (secret === null || client?.active !== true) return null
  return { client, credentialId: secretIdOf(secret.mac) }
}

/** The descriptions of `invalid_client`, which list all possible reasons, so that none is revealed. */
const REFUSALS: Readonly<Record<PresentedCredentials['method'], string>> = {
  secret: 'The client is unknown or disabled, its secret is wrong, or it may not call from this address.',
  assertion:
    'The assertion is refused. A registered key of an active client must have signed it, with iss and sub the client id, aud the issuer or the address of this endpoint, exp at most 5 minutes ahead, and a jti that was never used; and the client must be allowed to call from this address.',
}

/** The refusal of credentials, which does not reveal the reason. */
export const refusedCredentials = ({ method }: PresentedCredentials): OAuthError =>
  oauthError('invalid_client', REFUSALS[method])

/** The client that credentials claim, unverified; null when they name none. */
export const claimedClient = (credentials: PresentedCredentials): string | null => {
  const { clientId } = credentials
  if (clientId !== null) return isId('client', clientId) ? clientId : null
  return credentials.method === 'assertion' ? (claimedBy(credentials.assertion)?.clientId ?? null) : null
}

/** Authenticates clients; an unknown client and a wrong credential get the same answer. */
export const createClientAuthentication =
  (options: Options): AuthenticateClient =>
  async (credentials) => {
    if (credentials.method === 'secret') {
      const found = await bySecret(options, credentials.clientId, credentials.clientSecret)
      return found === null
        ? refusedCredentials(credentials)
        : { ...found.client, credentialId: found.credentialId }
    }
    const found = await verifyAssertion(options, credentials.assertion)
    if (found !== null && (credentials.clientId ?? found.client.clientId) === found.client.clientId)
      return { ...found.client, credentialId: found.credentialId }
    return refusedCredentials(credentials)
  }
