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

/** Encrypts, opens and authenticates with the data keys of one service. */
export type Vault = {
  /** AES-256-GCM; `context` is authenticated, so that a sealed value cannot be moved to another row. */
  seal(plain: string | Uint8Array, context: string): string
  /** @throws when the value was sealed under an unknown key or another context, or altered */
  open(sealed: string, context: string): Buffer
  /** Id of the key that seals now; sealed values carry it. */
  readonly sealingKeyId: string
  mac(purpose: string, text: string): Buffer
}

/** What a vault works with at a moment. A new object stands for new keys: the keys of one never change. */
export type VaultKeys = Readonly<{
  /** Id of the key that seals. */
  sealingKeyId: string
  /** Keys that open, by id; the one that seals is among them. */
  sealing: ReadonlyMap<string, KeyObject>
  /** Of this the key of each purpose of a keyed hash derives. */
  hashing: Buffer
  /** Keys that stand instead of the derived ones, by purpose. */
  hashingFor: ReadonlyMap<string, KeyObject>
}>

const VERSION = 'v1'

/** A key of one purpose, derived from another key (RFC 5869). @returns 32 bytes */
export const deriveKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `causeway/${purpose}`, 32))

/** AES-256-GCM: nonce, ciphertext and tag in base64url. */
export const encryptWith = (key: KeyObject, plain: string | Uint8Array, context: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

/** The other way round. @throws when the key or the context is another one, or the text was altered */
export const decryptWith = (key: KeyObject, encoded: string, context: string): Buffer => {
  const bytes = Buffer.from(encoded, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}

/** @param current gives the keys of now; key objects are imported once, because an import costs four times the cipher */
export const createVault = (current: () => VaultKeys): Vault => {
  const derived = new Map<string, KeyObject>()
  const hashKeyFor = (purpose: string): KeyObject => {
    const { hashing, hashingFor } = current()
    const known = hashingFor.get(purpose) ?? derived.get(purpose)
    if (known) return known
    const key = createSecretKey(deriveKey(hashing, purpose))
    derived.set(purpose, key)
    return key
  }
  return {
    get sealingKeyId() {
      return current().sealingKeyId
    },
    mac: (purpose, text) => createHmac('sha256', hashKeyFor(purpose)).update(text).digest(),
    seal(plain, context) {
      const { sealing, sealingKeyId } = current()
      const key = sealing.get(sealingKeyId)
      if (key === undefined) throw new Error(`The key ${sealingKeyId} that should seal is not known`)
      return `${VERSION}.${sealingKeyId}.${encryptWith(key, plain, context)}`
    },
    open(sealed, context) {
      const [version, sealedWith = '', encoded] = sealed.split('.')
      const { sealing } = current()
      const key = sealing.get(sealedWith)
      if (version !== VERSION || key === undefined || encoded === undefined)
        throw new Error(`A sealed value names key ${sealedWith}, known are ${[...sealing.keys()].join(', ')}`)
      return decryptWith(key, encoded, context)
    },
  }
}

/** Compares in constant time; texts of different length differ. */
export const equalInConstantTime = (a: string | Buffer, b: string | Buffer): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
