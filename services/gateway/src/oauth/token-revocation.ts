import type { Db } from '@causeway/chassis'
import type { ChangeFeed } from '../change-feed/change-feed.ts'
import { verifyAccessToken, type TokenVerification } from './access-token.ts'
import { oauthError, type OAuthError } from './request.ts'
import { findRevokedToken, revokeToken } from './store.ts'

export type RevocationOptions = TokenVerification & Readonly<{ db: Db; changeFeed: ChangeFeed }>

/** Ends a token of a client before its expiry; a refusal, or null when no such token works any more. */
export type RevokeToken = (clientId: string, token: string) => Promise<OAuthError | null>

/** What is no token of this server, or has expired, counts as revoked (RFC 7009 §2.2). */
export const createTokenRevocation =
  (options: RevocationOptions): RevokeToken =>
  async (clientId, token) => {
    const claims = await verifyAccessToken(token, options)
    if (typeof claims === 'string') return null
    if (claims.client_id !== clientId)
      return oauthError('invalid_grant', 'The token was issued to another client.')
    const { jti } = claims
    if ((await findRevokedToken(options.db, { jti })) !== null) return null
    const expiresAt = new Date(claims.exp * 1_000)
    await options.changeFeed.transaction((tx, revision) =>
      revokeToken(tx, { jti, clientId, expiresAt, revision }),
    )
    return null
  }
