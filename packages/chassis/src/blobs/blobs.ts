import { createSecretKey, randomBytes } from 'node:crypto'
import { openPieces, sealPieces } from './sealed-pieces.ts'
import type { BlobStore, Pieces } from './store.ts'

/** Encrypted blobs. Each has a separate key, its secret, which its owner seals and stores apart from the blob. */
export type Blobs = Readonly<{
  /** Stores bytes under a new key. @returns the secret that decrypts them: 32 bytes in base64url */
  write(key: string, plain: Pieces): Promise<string>
  /**
   * Reads a blob; null if it does not exist.
   * @throws during the read, when the bytes differ from those that were written
   */
  read(key: string, secret: string): Promise<AsyncGenerator<Buffer> | null>
  remove(key: string): Promise<void>
}>

const SECRET_BYTES = 32
/** Context that the sealed secret of a blob is bound to. */
export const blobContext = (key: string): string => `blob:${key}`

/** Encrypts bytes under a new key. @returns the secret that decrypts them, in base64url, and the encrypted bytes */
export const sealBlob = (plain: Pieces): Readonly<{ secret: string; sealed: AsyncGenerator<Buffer> }> => {
  const secret = randomBytes(SECRET_BYTES)
  return { secret: secret.toString('base64url'), sealed: sealPieces(plain, createSecretKey(secret)) }
}

/** Decrypts what {@link sealBlob} has encrypted. @throws during the read, when the bytes differ */
export const openBlob = (sealed: Pieces, secret: string): AsyncGenerator<Buffer> =>
  openPieces(sealed, createSecretKey(Buffer.from(secret, 'base64url')))

export const createBlobs = (store: BlobStore): Blobs => ({
  async write(key, plain) {
    const { secret, sealed } = sealBlob(plain)
    await store.put(key, sealed)
    return secret
  },
  async read(key, secret) {
    const sealed = await store.get(key)
    return sealed && openBlob(sealed, secret)
  },
  remove: (key) => store.remove(key),
})
