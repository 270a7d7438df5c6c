import { createHash } from 'node:crypto'

/** First four bytes of hashed data, which name its kind (xrpl.org, "Hash Prefixes"). */
const PREFIXES = {
  ledger: 'LWR\0',
  transaction: 'TXN\0',
  transactionNode: 'SND\0',
  innerNode: 'MIN\0',
} as const

/** The first half of SHA-512. */
export const hashOf = (kind: keyof typeof PREFIXES, ...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha512').update(PREFIXES[kind], 'latin1')
  for (const part of parts) hash.update(part)
  return hash.digest().subarray(0, 32)
}

/** How hashes are written. */
export const hashText = (hash: Buffer): string => hash.toString('hex').toUpperCase()
