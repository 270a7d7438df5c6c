import type { Logger } from '@causeway/chassis'
import { TOKEN_ALGORITHM } from '@causeway/contracts'
import { importJWK, type CryptoKey } from 'jose'
import type { AccessClient } from '../clients/access.ts'

/** Keys are read again at most this often for a key id that is unknown: anybody can send one. */
const UNKNOWN_EVERY_MS = 1_000

type Jwk = Readonly<Record<string, string>>
type Keys = Readonly<{ jwks: readonly Jwk[]; byId: ReadonlyMap<string | undefined, CryptoKey> }>

const importKeys = async (jwks: readonly Jwk[]): Promise<Keys> => {
  const entries = jwks.map(async (jwk) => {
    const key = await importJWK(jwk, TOKEN_ALGORITHM)
    if (key instanceof Uint8Array) throw new Error('A signing key is not an EC key')
    return [jwk['kid'], key] as const
  })
  return { jwks, byId: new Map(await Promise.all(entries)) }
}

/**
 * The public keys that sign access tokens, which access owns. They are read again after every change of access; while it
 * is unavailable the known ones stay valid.
 */
export const createSigningKeys = ({
  access,
  log,
}: Readonly<{ access: Pick<AccessClient, 'listSigningKeys'>; log: Logger }>) => {
  let keys: Keys | null = null
  let isStale = true
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<Keys> | null = null

  const read = async (): Promise<Keys> => {
    readAtMs = performance.now()
    isStale = false
    try {
      keys = await importKeys(await access.listSigningKeys())
      return keys
    } catch (error) {
      isStale = true
      if (keys === null) throw error
      log.warn(
        { event: 'signing_key.read_failed', error },
        'The signing keys were not read; known ones are used',
      )
      return keys
    }
  }
  const refreshed = (): Promise<Keys> =>
    (reading ??= read().finally(() => {
      reading = null
    }))
  const isDue = () => performance.now() - readAtMs > UNKNOWN_EVERY_MS
  const current = async (): Promise<Keys> => (keys === null || (isStale && isDue()) ? refreshed() : keys)

  return {
    /** The public key of a key id; null for an unknown one. @throws NotDoneError when no key is known yet */
    async find(kid: string | undefined): Promise<CryptoKey | null> {
      const found = (await current()).byId.get(kid)
      if (found !== undefined) return found
      return isDue() ? ((await refreshed()).byId.get(kid) ?? null) : null
    },
    /** The JWK set (RFC 7517). */
    jwks: async () => ({ keys: (await current()).jwks }),
    /** Has the keys read again before their next use. */
    invalidate() {
      isStale = true
      readAtMs = Number.NEGATIVE_INFINITY
    },
  }
}

export type SigningKeys = ReturnType<typeof createSigningKeys>
