import type { Clock } from '@causeway/chassis'
import { TOKEN_ALGORITHM } from '@causeway/contracts'
import { jwtVerify, errors, type JWTPayload } from 'jose'
import { z } from 'zod'
import type { CredentialFault } from './identity.ts'
import type { SigningKeys } from './signing-keys.ts'

const Claims = z.object({
  client_id: z.string(),
  partner_id: z.string(),
  scope: z.string(),
  /** Missing in tokens of gateways that did not write it yet. */
  credential_id: z.string().optional(),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
})
/** Claims of an access token (RFC 9068 §2.2). */
export type Claims = z.infer<typeof Claims>

export type TokenVerification = Readonly<{
  signingKeys: Pick<SigningKeys, 'find'>
  clock: Clock
  issuer: string
}>

const keyOf = async (signingKeys: TokenVerification['signingKeys'], kid: string | undefined) => {
  const key = await signingKeys.find(kid)
  if (key === null) throw new errors.JWKSNoMatchingKey()
  return key
}

/** The claims of a token with a valid signature, type, issuer, audience and expiry (RFC 9068 §4), or the fault. */
export const verifyAccessToken = async (
  token: string,
  { signingKeys, clock, issuer }: TokenVerification,
): Promise<Claims | CredentialFault> => {
  let payload: JWTPayload
  try {
    const verified = await jwtVerify(token, ({ kid }) => keyOf(signingKeys, kid), {
      algorithms: [TOKEN_ALGORITHM],
      typ: 'at+jwt',
      issuer,
      audience: issuer,
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
      currentDate: clock.now(),
    })
    payload = verified.payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError) return 'forged'
    throw error
  }
  return Claims.safeParse(payload).data ?? 'forged'
}
