import { doubleSha256 } from './hashes.ts'

/**
 * The merkle root over the hashes of a block's transactions; null when two neighbours at any height are equal, because
 * the same root then belongs to another list too, with transactions twice (CVE-2012-2459).
 */
export const merkleRootOf = (hashes: readonly Buffer[]): Buffer | null => {
  let level = hashes
  while (level.length > 1) {
    const above: Buffer[] = []
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] as Buffer
      const right = level[at + 1]
      if (right?.equals(left)) return null
      above.push(doubleSha256(Buffer.concat([left, right ?? left])))
    }
    level = above
  }
  return level[0] ?? null
}
