import type { Db } from '@causeway/chassis'
import type { ChangeFeed } from '../change-feed/change-feed.ts'
import { findRevokedToken, revokeToken } from './store.ts'

type IssuedToken = Readonly<{ jti: string; clientId: string; expiresAt: Date }>

/** Revokes a client's valid token before its expiry. */
export async function revokeIssuedToken(
  { db, changeFeed }: Readonly<{ db: Db; changeFeed: ChangeFeed }>,
  token: IssuedToken,
): Promise<void> {
  if ((await findRevokedToken(db, { jti: token.jti })) !== null) return
  await changeFeed.transaction((tx, revision) => revokeToken(tx, { ...token, revision }))
}
