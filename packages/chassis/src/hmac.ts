import { hash } from 'node:crypto'

/** Bytes of one block and one digest of SHA-256. */
const BLOCK = 64
const DIGEST = 32
const [INNER_PAD, OUTER_PAD] = [0x36, 0x5c]

/** Messages up to this are laid out in a buffer that is allocated once; events and requests are far shorter. */
const SCRATCH_BYTES = 16_384
const scratch = Buffer.alloc(SCRATCH_BYTES)
const outerScratch = Buffer.alloc(BLOCK + DIGEST)

/** A key of at most a block, followed by zeros, each byte XOR `pad` (RFC 2104 §2). */
const padOf = (key: Buffer, pad: number): Buffer => {
  const block = Buffer.alloc(BLOCK, pad)
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad
  return block
}

/**
 * HMAC-SHA256 under one key (RFC 2104). Two hashes over pads that are prepared once take half as long as `createHmac`,
 * whose object costs more than its digest does. No property shows the key, so that it is neither logged nor serialised.
 */
export class HmacKey {
  readonly #inner: Buffer
  readonly #outer: Buffer

  constructor(key: Buffer) {
    const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key
    this.#inner = padOf(short, INNER_PAD)
    this.#outer = padOf(short, OUTER_PAD)
  }

  /**
   * The MAC of `prefix` followed by `bytes`.
   * @param prefix latin1
   */
  macOf(prefix: string, bytes: Uint8Array, encoding: 'hex' | 'base64url'): string {
    const length = BLOCK + prefix.length + bytes.length
    const message = length <= SCRATCH_BYTES ? scratch.subarray(0, length) : Buffer.alloc(length)
    message.set(this.#inner)
    message.write(prefix, BLOCK, 'latin1')
    message.set(bytes, BLOCK + prefix.length)
    outerScratch.set(this.#outer)
    // As text, because a digest as a buffer is allocated outside of the heap and costs as much as the hash.
    outerScratch.write(hash('sha256', message, 'binary'), BLOCK, 'binary')
    return hash('sha256', outerScratch, encoding)
  }
}
