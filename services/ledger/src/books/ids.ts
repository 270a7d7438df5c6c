import { createHash } from 'node:crypto'
import type { Posting } from '../posting/posting.ts'

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const SUFFIX_LENGTH = 26
const ID_BYTES = 16

/** Returns a `jnl_` id that is derived from what identifies a posting: a rebuild gives the same one (ADR 0073). */
export const journalIdOf = ({ source, rule }: Pick<Posting, 'source' | 'rule'>): string => {
  const hash = createHash('sha256').update(`${rule}\n${source}`).digest('hex')
  let rest = BigInt(`0x${hash.slice(0, 2 * ID_BYTES)}`)
  let suffix = ''
  for (let at = 0; at < SUFFIX_LENGTH; at += 1) {
    suffix = (LETTERS[Number(rest % 32n)] ?? '') + suffix
    rest /= 32n
  }
  return `jnl_${suffix}`
}
