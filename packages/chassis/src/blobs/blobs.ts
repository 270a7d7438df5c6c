import { createSecretKey, randomBytes } from 'node:crypto'
import type { Vault } from '../crypto.ts'
import { openPieces, sealPieces } from './sealed-pieces.ts'
import type { BlobStore, Pieces } from './store.ts'

/** Encrypted blobs: each has a key of its own, which is kept apart from it, sealed under the root key. */
export type Blobs = Readonly<{
  /** Stores bytes under a new key. @returns the sealed secret without which they cannot be read */
  write(key: string, plain: Pieces): Promise<string>
  /**
   * The bytes of a blob, or null when there is none.
   * @throws while they are read, when they are not exactly what was written
   */
  read(key: string, secretSealed: string): Promise<AsyncGenerator<Buffer> | null>
  remove(key: string): Promise<void>
}>

const SECRET_BYTES = 32
/** What the sealed secret of a blob is bound to. */
export const blobContext = (key: string): string => `blob:${key}`

export const createBlobs = (store: BlobStore, vault: Vault): Blobs => ({
  async write(key, plain) {
    const secret = randomBytes(SECRET_BYTES)
    await store.put(key, sealPieces(plain, createSecretKey(secret)))
    return vault.seal(secret, blobContext(key))
  },
  async read(key, secretSealed) {
    const secret = createSecretKey(vault.open(secretSealed, blobContext(key)))
    const sealed = await store.get(key)
    return sealed && openPieces(sealed, secret)
  },
  remove: (key) => store.remove(key),
})
