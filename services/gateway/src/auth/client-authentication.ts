import { isId, type Clock, type Db, type Vault } from '@causeway/chassis'
import { clientStore, type ClientStanding } from '../store/clients.ts'
import { verifyAssertion, type Asserted } from './client-assertion.ts'
import { matchingSecret, secretIdOf } from './client-secrets.ts'
import { oauthError, type OAuthError, type PresentedCredentials } from './oauth-request.ts'

/** A client that has authenticated, and the credential by which it did. */
export type AuthenticatedClient = ClientStanding & Readonly<{ credentialId: string }>

export type AuthenticateClient = (
  credentials: PresentedCredentials,
) => Promise<AuthenticatedClient | OAuthError>

type Options = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  /** What an assertion may name as this server: the issuer, and the endpoint's address. */
  audience: readonly string[]
}>

const bySecret = async (
  { db, vault, clock }: Options,
  clientId: string,
  clientSecret: string,
): Promise<Asserted | null> => {
  const standing = isId('client', clientId) ? await clientStore.standing(db, clientId, clock.now()) : null
  const secret = matchingSecret(vault, clientId, clientSecret, standing?.secrets ?? [])
  if (secret === null || standing?.active !== true) return null
  return { standing, credentialId: secretIdOf(secret.mac) }
}

/** The client whose credentials these are; an unknown one and a wrong credential cannot be told apart. */
export const createClientAuthentication =
  (options: Options): AuthenticateClient =>
  async (credentials) => {
    if (credentials.method === 'secret') {
      const found = await bySecret(options, credentials.clientId, credentials.clientSecret)
      if (found !== null) return { ...found.standing, credentialId: found.credentialId }
      return oauthError('invalid_client', 'The client is unknown, disabled, or its secret is wrong.')
    }
    const found = await verifyAssertion(options, credentials.assertion)
    if (found !== null && (credentials.clientId ?? found.standing.client_id) === found.standing.client_id)
      return { ...found.standing, credentialId: found.credentialId }
    return oauthError(
      'invalid_client',
      'The assertion is not one of a client of this server, or was used before.',
    )
  }
