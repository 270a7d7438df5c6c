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
import { LRUCache } from 'lru-cache'

/** Encrypts, decrypts and hashes with the data keys of one service. */
export type Vault = {
  /** AES-256-GCM; `context` is authenticated, so that a sealed value cannot be moved to another row. */
  seal(plain: string | Uint8Array, context: string): string
  /** @throws when the key is unknown, the context is another one, or the value was altered */
  open(sealed: string, context: string): Buffer
  /** Id of the key that seals now; every sealed value carries the id of its key. */
  readonly sealingKeyId: string
  mac(purpose: string, text: string): Buffer
}

/** The keys of a vault. They never change within one object: new keys come as a new object. */
export type VaultKeys = Readonly<{
  /** Id of the key that seals. */
  sealingKeyId: string
  /** Keys that open, by id, the sealing one included. */
  sealing: ReadonlyMap<string, KeyObject>
  /** Root of the keyed hashes: the key of each purpose is derived from it. */
  hashing: Buffer
  /** Keys of purposes that are not derived, by purpose. */
  hashingFor: ReadonlyMap<string, KeyObject>
}>

const VERSION = 'v1'
/** Sealed under the key of a subject (keys/data-keys.ts): `v2.<subject>.<value>`; read with that key appended. */
const SUBJECT_VERSION = 'v2.'

/** A key of one purpose, derived from another key (RFC 5869). @returns 32 bytes */
export const deriveKey = (key: Buffer | KeyObject, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `causeway/${purpose}`, 32))

/** AES-256-GCM: nonce, ciphertext and tag in base64url. */
export const encryptWith = (key: KeyObject, plain: string | Uint8Array, context: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

/** Decrypts. @throws when the key or the context is another one, or the text was altered */
export const decryptWith = (key: KeyObject, encoded: string, context: string): Buffer => {
  const bytes = Buffer.from(encoded, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}

/** Keys of subjects used last: unwrapping and importing one costs twice as much as opening a value. */
const MAX_SUBJECT_KEYS = 10_000

const createSubjectOpener = (vault: Pick<Vault, 'open'>) => {
  const keys = new LRUCache<string, KeyObject>({ max: MAX_SUBJECT_KEYS })
  return (sealed: string, context: string): Buffer => {
    const [, subject = '', encoded = '', ...rest] = sealed.split('.')
    // A destroyed key is no longer appended to the value, so a cached one is never used after its destruction.
    if (rest.length === 0) throw new Error(`The key of ${subject} was destroyed or not loaded`)
    const keySealed = rest.join('.')
    const name = `${subject}.${keySealed}`
    const known = keys.get(name)
    if (known) return decryptWith(known, encoded, context)
    const key = createSecretKey(vault.open(keySealed, `data-key:${subject}`))
    keys.set(name, key)
    return decryptWith(key, encoded, context)
  }
}

/** @param current returns the present keys; each is imported once, because an import costs four times the cipher */
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
  const vault: Vault = {
    get sealingKeyId() {
      return current().sealingKeyId
    },
    mac: (purpose, text) => createHmac('sha256', hashKeyFor(purpose)).update(text).digest(),
    seal(plain, context) {
      const { sealing, sealingKeyId } = current()
      const key = sealing.get(sealingKeyId)
      if (key === undefined)
        throw new Error(`The active sealing key ${sealingKeyId} is not among the known keys`)
      return `${VERSION}.${sealingKeyId}.${encryptWith(key, plain, context)}`
    },
    open(sealed, context) {
      if (sealed.startsWith(SUBJECT_VERSION)) return openOfSubject(sealed, context)
      const [version, sealedWith = '', encoded] = sealed.split('.')
      const { sealing } = current()
      const key = sealing.get(sealedWith)
      if (version !== VERSION || key === undefined || encoded === undefined)
        throw new Error(
          `A sealed value names key ${sealedWith}; known keys: ${[...sealing.keys()].join(', ')}`,
        )
      return decryptWith(key, encoded, context)
    },
  }
  const openOfSubject = createSubjectOpener(vault)
  return vault
}

/** Compares in constant time; texts of different length differ. */
export const equalInConstantTime = (a: string | Buffer, b: string | Buffer): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
