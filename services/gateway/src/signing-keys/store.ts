import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const PublicJwk = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })

/** A signing key as it is stored: the public part plain, the private part sealed. */
const SigningKeyRow = z.object({
  kid: z.string(),
  public_jwk: PublicJwk,
  private_sealed: z.string(),
  created_at: z.date(),
  signs_from: z.date(),
})
export type SigningKeyRow = z.infer<typeof SigningKeyRow>

const list = statement({
  name: 'signing-keys.list',
  text: 'SELECT kid, public_jwk, private_sealed, created_at, signs_from FROM signing_keys ORDER BY signs_from, kid',
  row: SigningKeyRow,
})
const insert = statement({
  name: 'signing-keys.insert',
  text: `
    INSERT INTO signing_keys (kid, public_jwk, private_sealed, created_at, signs_from)
    VALUES ($1, $2, $3, $4, $5)`,
})
const remove = statement({
  name: 'signing-keys.remove',
  text: 'DELETE FROM signing_keys WHERE kid = ANY ($1)',
})

/** Keys that sign access tokens. */
export const signingKeyStore = {
  /** In the order in which they begin to sign. */
  list: (db: Queryable) => db.query(list),
  insert: (tx: Queryable, row: SigningKeyRow) =>
    tx.query(insert, [
      row.kid,
      JSON.stringify(row.public_jwk),
      row.private_sealed,
      row.created_at,
      row.signs_from,
    ]),
  remove: (tx: Queryable, kids: readonly string[]) => tx.query(remove, [kids]),
}
