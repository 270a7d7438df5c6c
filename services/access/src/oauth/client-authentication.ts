import { isId, type Clock, type Db, type Vault } from '@causeway/chassis'
import type { PresentedCredentials } from '@causeway/contracts'
import { matchingSecret, secretIdOf } from '../clients/secrets.ts'
import { claimedBy, verifyAssertion, type VerifiedClient } from './client-assertion.ts'
import { getEffectiveClient, type EffectiveClient } from './store.ts'

/** An authenticated client, and the id of the credential that it used. */
export type AuthenticatedClient = EffectiveClient & Readonly<{ credentialId: string }>

export type AuthenticateClient = (credentials: PresentedCredentials) => Promise<AuthenticatedClient | null>

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

/** Authenticates clients; null for an unknown client and for a wrong credential alike. */
export const createClientAuthentication =
  (options: Options): AuthenticateClient =>
  async (credentials) => {
    if (credentials.method === 'secret') {
      const found = await bySecret(options, credentials.clientId, credentials.clientSecret)
      return found && { ...found.client, credentialId: found.credentialId }
    }
    const found = await verifyAssertion(options, credentials.assertion)
    if (found !== null && (credentials.clientId ?? found.client.clientId) === found.client.clientId)
      return { ...found.client, credentialId: found.credentialId }
    return null
  }

/** The client that credentials claim, unverified; null when they name none. */
export const claimedClient = (credentials: PresentedCredentials): string | null => {
  const { clientId } = credentials
  if (clientId !== null) return isId('client', clientId) ? clientId : null
  return credentials.method === 'assertion' ? (claimedBy(credentials.assertion)?.clientId ?? null) : null
}
