import type { Clock, Db } from '@causeway/chassis'
import { secretIdOf } from '../clients/secrets.ts'
import { findRevokedToken, getEffectiveClient, type EffectiveClient } from './store.ts'

/** The client of a token for the edge: its rights, and the credentials for which its tokens are valid. */
export type TokenClient = Omit<EffectiveClient, 'secrets' | 'keys'> &
  Readonly<{
    /** Live secrets, newest first. */
    secrets: readonly Readonly<{ secretId: string; createdAtMs: number; expiresAtMs: number | null }>[]
    keyIds: readonly string[]
  }>

/** Finds the client of a token; null when the client or its partner is disabled, or the token is revoked. */
export async function findTokenClient(
  { db, clock }: Readonly<{ db: Db; clock: Clock }>,
  clientId: string,
  jti: string,
): Promise<TokenClient | null> {
  const [client, revoked] = await Promise.all([
    getEffectiveClient(db, { clientId, now: clock.now() }),
    findRevokedToken(db, { jti }),
  ])
  if (client?.active !== true || revoked !== null) return null
  const { secrets, keys, ...rest } = client
  return {
    ...rest,
    secrets: secrets.map(({ mac, ...secret }) => ({ ...secret, secretId: secretIdOf(mac) })),
    keyIds: keys.map((key) => key.credential_id),
  }
}
