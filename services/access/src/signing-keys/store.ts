import { queryMany, queryNone } from '@causeway/chassis'
import { z } from 'zod'

const PublicJwk = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })
export type PublicJwk = z.infer<typeof PublicJwk>

/** A stored signing key: the public part in plain text, the private part sealed. */
const SigningKeyRecord = z.object({
  kid: z.string(),
  publicJwk: PublicJwk,
  privateSealed: z.string(),
  signsFrom: z.date(),
})
export type SigningKeyRecord = z.infer<typeof SigningKeyRecord>

/** In the order in which they begin to sign. */
export const listSigningKeys = queryMany({
  name: 'signing-keys.list',
  text: 'SELECT kid, public_jwk, private_sealed, signs_from FROM signing_keys ORDER BY signs_from, kid',
  row: SigningKeyRecord,
})

/** @param publicJwk JSON of the public key */
export const insertSigningKey = queryNone({
  name: 'signing-keys.insert',
  parameters: {
    kid: 'text',
    publicJwk: 'jsonb',
    privateSealed: 'text',
    createdAt: 'timestamptz',
    signsFrom: 'timestamptz',
  },
  text: `
    INSERT INTO signing_keys (kid, public_jwk, private_sealed, created_at, signs_from)
    VALUES (:kid, :publicJwk, :privateSealed, :createdAt, :signsFrom)`,
})

export const deleteSigningKeys = queryNone({
  name: 'signing-keys.remove',
  parameters: { kids: 'text[]' },
  text: 'DELETE FROM signing_keys WHERE kid = ANY (:kids)',
})
