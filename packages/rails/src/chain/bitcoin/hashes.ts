import { createHash } from 'node:crypto'

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** The hash of blocks and transactions, in the order in which they are serialized. */
export const doubleSha256 = (bytes: Uint8Array): Buffer => sha256(sha256(bytes))

/** How a hash is written: its bytes in reverse. */
export const hashText = (hash: Buffer): string => Buffer.from(hash).reverse().toString('hex')
