import { createHash } from 'node:crypto'

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const SUFFIX_LENGTH = 26
const ID_BYTES = 16

/** Returns an id that is derived from what identifies the object: a rebuild gives the same one (ADR 0073). */
const derivedId = (prefix: string, identity: string): string => {
  const hash = createHash('sha256').update(identity).digest('hex')
  let rest = BigInt(`0x${hash.slice(0, 2 * ID_BYTES)}`)
  let suffix = ''
  for (let at = 0; at < SUFFIX_LENGTH; at += 1) {
    suffix = (LETTERS[Number(rest % 32n)] ?? '') + suffix
    rest /= 32n
  }
  return `${prefix}_${suffix}`
}

type Source = Readonly<{ source: string; rule: string }>

/** The id of a posting. */
export const journalIdOf = ({ source, rule }: Source): string => derivedId('jnl', `${rule}\n${source}`)

/** The id of an entry: one side of one line of a posting. @param entry.account its account's name */
export const entryIdOf = ({
  source,
  rule,
  line,
  account,
}: Source & Readonly<{ line: number; account: string }>): string =>
  derivedId('ent', `${rule}\n${source}\n${line}\n${account}`)
