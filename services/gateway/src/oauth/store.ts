import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const insert = statement({
  name: 'revoked-tokens.insert',
  text: `
    INSERT INTO revoked_tokens (jti, client_id, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING jti`,
  row: z.object({ jti: z.string() }),
})
const find = statement({
  name: 'revoked-tokens.find',
  text: 'SELECT jti FROM revoked_tokens WHERE jti = $1',
  row: z.object({ jti: z.string() }),
})
const forget = statement({
  name: 'revoked-tokens.forget',
  text: 'DELETE FROM revoked_tokens WHERE expires_at < $1',
})
const touchClient = statement({
  name: 'revoked-tokens.touch-client',
  text: 'UPDATE clients SET revision = $2 WHERE client_id = $1',
})

type RevokedToken = Readonly<{ jti: string; clientId: string; expiresAt: Date }>

/** Tokens that were revoked before their expiry. */
export const revokedTokenStore = {
  /**
   * Revokes a token and has every replica judge its client's tokens anew, under a revision of the registry; false when
   * it was revoked already.
   */
  revoke: async (tx: Queryable, { jti, clientId, expiresAt }: RevokedToken, revision: number) => {
    if ((await tx.query(insert, [jti, clientId, expiresAt])).length === 0) return false
    await tx.query(touchClient, [clientId, revision])
    return true
  },
  isRevoked: async (db: Queryable, jti: string) => (await db.query(find, [jti])).length === 1,
  forget: (db: Queryable, before: Date) => db.query(forget, [before]),
}
