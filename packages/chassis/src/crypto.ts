import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** Encrypts, opens and authenticates with keys derived from the root key, one a purpose (RFC 5869). */
export type Vault = {
  /** AES-256-GCM; `context` is authenticated, so that a sealed value cannot be moved to another row. */
  seal(plain: string | Uint8Array, context: string): string
  /** @throws when the value was sealed under an unknown key or another context, or altered */
  open(sealed: string, context: string): Buffer
  /** Id of the key that seals now; sealed values carry it. */
  readonly sealingKeyId: string
  mac(purpose: string, text: string): Buffer
  derive(purpose: string): Buffer
}

const VERSION = 'v1'

/** Keys that seal instead of the root key: the first seals, all of them and the root key open. */
export type SealingKeys = readonly Buffer[]

const deriveFrom = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `causeway/${purpose}`, 32))

/** A sealing key by its id: the first 4 bytes of its fingerprint. */
const sealer = (key: Buffer) => ({
  id: deriveFrom(key, 'key-id').toString('hex').slice(0, 8),
  key: createSecretKey(deriveFrom(key, 'seal')),
})

/**
 * Keyed hashes and whatever else is derived come of the root key alone and outlive a rotation; what is sealed names
 * its key, so that sealing keys can be replaced (`pnpm reseal`).
 * @param rootKey 32 bytes
 */
export const createVault = (rootKey: Buffer, sealingKeys: SealingKeys = []): Vault => {
  const derive = (purpose: string): Buffer => deriveFrom(rootKey, purpose)
  // Key objects are imported once: a cipher made from the bytes imports them again and costs five times as much.
  const keys = new Map<string, KeyObject>()
  const keyFor = (purpose: string): KeyObject => {
    const known = keys.get(purpose)
    if (known) return known
    const key = createSecretKey(derive(purpose))
    keys.set(purpose, key)
    return key
  }
  const sealers = new Map([...sealingKeys, rootKey].map((key) => [sealer(key).id, sealer(key).key] as const))
  const current = sealer(sealingKeys[0] ?? rootKey)
  return {
    derive,
    sealingKeyId: current.id,
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    seal(plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${current.id}.${sealed.toString('base64url')}`
    },
    open(sealed, context) {
      const [version, sealedWith = '', encoded] = sealed.split('.')
      const key = sealers.get(sealedWith)
      if (version !== VERSION || key === undefined || encoded === undefined)
        throw new Error(`A sealed value names key ${sealedWith}, known are ${[...sealers.keys()].join(', ')}`)
      const bytes = Buffer.from(encoded, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    },
  }
}

/** Compares in constant time; texts of different length differ. */
export const equalInConstantTime = (a: string | Buffer, b: string | Buffer): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
