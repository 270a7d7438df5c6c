import type { ClientJwks, ErrorDetail } from '@causeway/contracts'
import { calculateJwkThumbprint, importJWK, type JWK } from 'jose'
import type { ClientKey } from './store.ts'

/** Algorithm under which a key of each type is imported, to validate it. */
const VALIDATION_ALGORITHMS: Readonly<Record<string, string>> = { EC: 'ES256', OKP: 'EdDSA', RSA: 'PS256' }
const MIN_RSA_BITS = 2_048
const BITS_OF_BYTE = 8
const ANOTHER_KEY = 'a kid and a key that no other entry has'
const VALID_KEY = `a valid public key of its kty; RSA of at least ${MIN_RSA_BITS} bits`

const bitsOf = (modulus: string): number => {
  const bytes = Buffer.from(modulus, 'base64url')
  const first = bytes.findIndex((byte) => byte !== 0)
  if (first === -1) return 0
  return (bytes.length - first) * BITS_OF_BYTE - (Math.clz32(bytes[first] ?? 0) - 24)
}

const isKey = async (jwk: ClientJwks['keys'][number]): Promise<boolean> => {
  if (jwk.kty === 'RSA' && bitsOf(jwk.n) < MIN_RSA_BITS) return false
  try {
    await importJWK({ ...jwk, alg: jwk.alg ?? VALIDATION_ALGORITHMS[jwk.kty] } as JWK)
    return true
  } catch {
    // For example a point that is not on its curve.
    return false
  }
}

/**
 * A JWK set as it is stored: each key has a `kid` and a credential id, which tokens carry.
 * @returns the bad fields when a key is not a valid one of its type, or two keys have the same `kid` or are the same
 */
export const toClientKeys = async (
  jwks: ClientJwks,
): Promise<Readonly<{ ok: true; keys: ClientKey[] } | { ok: false; details: ErrorDetail[] }>> => {
  const keys: ClientKey[] = []
  const details: ErrorDetail[] = []
  for (const [index, jwk] of jwks.keys.entries()) {
    const thumbprint = await calculateJwkThumbprint(jwk as JWK)
    const kid = jwk.kid ?? thumbprint
    const isKnown = keys.some((key) => key.jwk.kid === kid || key.credential_id === thumbprint)
    if (isKnown)
      details.push({ field: `jwks.keys.${index}.kid`, reason: 'invalid_value', expected: ANOTHER_KEY })
    else if (!(await isKey(jwk)))
      details.push({ field: `jwks.keys.${index}`, reason: 'invalid_value', expected: VALID_KEY })
    keys.push({ credential_id: thumbprint, jwk: { ...jwk, kid } })
  }
  return details.length === 0 ? { ok: true, keys } : { ok: false, details }
}
