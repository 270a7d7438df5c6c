import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import type { Pieces } from './store.ts'

/** Plain bytes in one sealed chunk. */
export const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const NONCE_BYTES = 12

type Chunk = Readonly<{ bytes: Buffer; isLast: boolean }>

/** Cuts pieces of any size into chunks of exactly `size`; only the last may be shorter. */
const cut = async function* (pieces: Pieces, size: number): AsyncGenerator<Chunk> {
  let held: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    held.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length))
    length += piece.length
    // The last `size` bytes are held back, because they may be the last chunk.
    while (length > size) {
      const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held, length)
      yield { bytes: all.subarray(0, size), isLast: false }
      held = [all.subarray(size)]
      length -= size
    }
  }
  yield { bytes: Buffer.concat(held, length), isLast: true }
}

/** Nonce: a counter of 11 bytes, and one byte that marks the last chunk. */
const nonceOf = (index: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(index, NONCE_BYTES - 5)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

/**
 * Encrypts a stream in chunks, each with its own tag, by the STREAM construction over AES-256-GCM (Hoang et al.,
 * "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", CRYPTO 2015; the same as in age): chunks
 * cannot be altered, moved, left out or cut off at the end unnoticed.
 * @param key used for this one stream and never again
 */
export const sealPieces = async function* (plain: Pieces, key: KeyObject): AsyncGenerator<Buffer> {
  let index = 0
  for await (const { bytes, isLast } of cut(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, isLast))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    index += 1
  }
}

/**
 * Decrypts. A chunk is returned only after its tag was checked.
 * @throws at the first chunk that is not genuine, and when the last chunk is missing
 */
export const openPieces = async function* (sealed: Pieces, key: KeyObject): AsyncGenerator<Buffer> {
  let index = 0
  for await (const { bytes, isLast } of cut(sealed, CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new Error('A sealed blob is truncated')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, isLast))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    yield Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
    index += 1
  }
}
