import { createHash } from 'node:crypto'
import { isId, type Clock, type Db } from '@causeway/chassis'
import { ASSERTION_ALGORITHMS } from '@causeway/contracts'
import { decodeJwt, decodeProtectedHeader, errors, importJWK, jwtVerify, type JWK } from 'jose'
import type { ClientKey } from '../client-keys/store.ts'
import { getEffectiveClient, insertUsedAssertion, type EffectiveClient } from './store.ts'

/** Longest validity of an assertion from now on, so that few used ones have to be stored. */
const MAX_VALIDITY_MS = 5 * 60_000
/** Tolerated difference of a client's clock. */
const SKEW_SECONDS = 5
const MS_PER_SECOND = 1_000
const MAX_LENGTH = 8_192

type Options = Readonly<{ db: Db; clock: Clock; audience: readonly string[] }>

/** An authenticated client, and the id of the secret or key that it used. */
export type VerifiedClient = Readonly<{ client: EffectiveClient; credentialId: string }>

type Claims = Readonly<{ jti?: string | undefined; exp?: number | undefined }>

/** The client and the key that an assertion claims, unverified; null when it is not an assertion. */
export const claimedBy = (
  assertion: string,
): Readonly<{ clientId: string; kid: string | undefined }> | null => {
  if (assertion.length > MAX_LENGTH) return null
  try {
    const { sub } = decodeJwt(assertion)
    const { kid } = decodeProtectedHeader(assertion)
    return typeof sub === 'string' && isId('client', sub) ? { clientId: sub, kid } : null
  } catch {
    return null
  }
}

const importFor = async (jwk: JWK, alg: string | undefined) => {
  const allowed = ASSERTION_ALGORITHMS[jwk.kty ?? ''] ?? []
  if (alg === undefined || !allowed.includes(alg) || (jwk.alg !== undefined && jwk.alg !== alg))
    throw new errors.JOSEAlgNotAllowed('The key does not sign by this algorithm')
  return importJWK({ ...jwk, alg })
}

/** Checks signature, issuer, subject, audience and times (RFC 7523 §3); null when one of them is wrong. */
const verifyBy = async (
  { jwk }: ClientKey,
  assertion: string,
  clientId: string,
  { clock, audience }: Options,
): Promise<Claims | null> => {
  try {
    const { payload } = await jwtVerify(assertion, ({ alg }) => importFor(jwk as JWK, alg), {
      issuer: clientId,
      subject: clientId,
      audience: [...audience],
      requiredClaims: ['jti', 'exp'],
      clockTolerance: SKEW_SECONDS,
      // Clients use real time, even where a sandbox has moved the platform's clock.
      currentDate: new Date(clock.outsideMs()),
    })
    // One meant for another server too could be presented here by that server (RFC 7523 §3, number 3).
    return [payload.aud ?? []].flat().every((aud) => audience.includes(aud)) ? payload : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** Checks whether the assertion expires soon enough and is used for the first time. Uses are stored until its expiry. */
const isFirstUse = async ({ db, clock }: Options, clientId: string, claims: Claims): Promise<boolean> => {
  const { jti, exp } = claims
  if (typeof jti !== 'string' || jti === '' || exp === undefined) return false
  const latestMs = clock.outsideMs() + MAX_VALIDITY_MS + SKEW_SECONDS * MS_PER_SECOND
  if (exp * MS_PER_SECOND > latestMs) return false
  const refusedFrom = new Date((exp + SKEW_SECONDS) * MS_PER_SECOND)
  const jtiHash = createHash('sha256').update(jti).digest()
  return (await insertUsedAssertion(db, { clientId, jtiHash, expiresAt: refusedFrom })) !== null
}

/**
 * Authenticates a client by an assertion (RFC 7523 §3): signed by a key of the client, with the client as issuer and
 * subject, this server as audience, an expiry at most five minutes ahead, and a `jti` used for the first time.
 * @returns null when one of these is not so
 */
export const verifyAssertion = async (
  options: Options,
  assertion: string,
): Promise<VerifiedClient | null> => {
  const claimed = claimedBy(assertion)
  if (claimed === null) return null
  const { clientId, kid } = claimed
  const client = await getEffectiveClient(options.db, { clientId, now: options.clock.now() })
  if (client?.active !== true) return null
  const keys = client.keys.filter(({ jwk }) => kid === undefined || jwk.kid === kid)
  for (const key of keys) {
    const claims = await verifyBy(key, assertion, clientId, options)
    if (claims === null) continue
    const isFirst = await isFirstUse(options, clientId, claims)
    return isFirst ? { client, credentialId: key.credential_id } : null
  }
  return null
}
