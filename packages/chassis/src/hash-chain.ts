import { createHash } from 'node:crypto'

/** A record of the chain: its place, its exact text, and a hash over both and the hash of the record before. */
export type Link = Readonly<{ sequence: number; hash: string; record: string }>
/** The end of a chain. A copy that is kept elsewhere reveals later that the chain was truncated or rewritten. */
export type Head = Readonly<{ sequence: number; hash: string }>

/** Reads a head that was kept, as `SEQUENCE:HASH`. @throws Error for other texts */
export const readHead = (text: string): Head => {
  const [, sequence, hash] = /^([1-9]\d*):([0-9a-f]{64})$/.exec(text) ?? []
  if (sequence === undefined || hash === undefined) throw new Error(`${text} is not SEQUENCE:HASH`)
  return { sequence: Number(sequence), hash }
}

/** The head of an empty chain. */
const EMPTY: Head = { sequence: 0, hash: '0'.repeat(64) }

/** SHA-256 of sequence, the hash before it and the record, with line feeds between them, in hex. */
const hashOf = ({ sequence, record }: Pick<Link, 'sequence' | 'record'>, before: string): string =>
  createHash('sha256').update(`${sequence}\n${before}\n${record}`).digest('hex')

/** The result of a verification: the head of the chain, or its first fault. */
export type Verification = Readonly<{ ok: true; head: Head }> | Readonly<{ ok: false; fault: string }>

/**
 * Verifies a chain record by record, in constant memory.
 * @param kept heads that were kept from earlier, which the chain must contain
 */
export const createChainVerifier = (kept: readonly Head[]) => {
  let head = EMPTY
  const expected = new Map(kept.map(({ sequence, hash }) => [sequence, hash]))

  /** The fault of the next record, or null. */
  const check = (link: Link): string | null => {
    const sequence = head.sequence + 1
    if (link.sequence !== sequence)
      return `record ${sequence} is missing: it is followed by record ${link.sequence}`
    const hash = hashOf(link, head.hash)
    if (link.hash !== hash) return `record ${sequence} or its hash was changed`
    if ((expected.get(sequence) ?? hash) !== hash)
      return `record ${sequence} differs from the record of the kept head`
    expected.delete(sequence)
    head = { sequence, hash }
    return null
  }
  /** The result, after the last record. @param stated the head that is stored with the chain */
  const end = (stated: Head): Verification => {
    if (stated.sequence !== head.sequence || stated.hash !== head.hash)
      return {
        ok: false,
        fault: `the chain ends with record ${head.sequence}, but its head names ${stated.sequence}`,
      }
    const [cut] = [...expected.keys()].filter((sequence) => sequence > 0)
    if (cut !== undefined)
      return { ok: false, fault: `the chain ends with record ${head.sequence}, before the kept head ${cut}` }
    return { ok: true, head }
  }
  return { check, end }
}
