import type { Db } from '@causeway/chassis'
import type { ChangeFeed } from '../change-feed/change-feed.ts'
import { verifyAccessToken, type TokenVerification } from './access-token.ts'
import { oauthError, type OAuthError } from './request.ts'
import { findRevokedToken, revokeToken } from './store.ts'

export type RevocationOptions = TokenVerification & Readonly<{ db: Db; changeFeed: ChangeFeed }>

/** Revokes a client's token before its expiry. @returns a refusal, or null when the token is not valid any more */
export type RevokeToken = (clientId: string, token: string) => Promise<OAuthError | null>

/** An expired token, or text that is not a token of this server, counts as revoked (RFC 7009 §2.2). */
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
