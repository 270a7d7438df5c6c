import type { Db } from '@causeway/chassis'
import { registryStore } from '../change-feed/store.ts'
import { revokedTokenStore } from './store.ts'
import { verifyAccessToken, type TokenVerification } from './access-token.ts'
import { oauthError, type OAuthError } from './request.ts'
import type { Registry } from '../change-feed/change-feed.ts'

export type RevocationOptions = TokenVerification & Readonly<{ db: Db; registry: Registry }>

/** Ends a token of a client before its expiry; a refusal, or null when no such token works any more. */
export type RevokeToken = (clientId: string, token: string) => Promise<OAuthError | null>

/** What no token of ours is, or an expired one, is as good as revoked (RFC 7009 §2.2). */
export const createTokenRevocation =
  (options: RevocationOptions): RevokeToken =>
  async (clientId, token) => {
    const { db, registry } = options
    const claims = await verifyAccessToken(token, options)
    if (typeof claims === 'string') return null
    if (claims.client_id !== clientId)
      return oauthError('invalid_grant', 'The token was issued to another client.')
    const { jti } = claims
    if (await revokedTokenStore.isRevoked(db, jti)) return null
    const expiresAt = new Date(claims.exp * 1_000)
    await db.transaction(async (tx) => {
      const revision = await registryStore.bump(tx)
      await revokedTokenStore.revoke(tx, { jti, clientId, expiresAt }, revision)
    })
    await registry.changed()
    return null
  }
