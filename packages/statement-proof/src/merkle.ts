import { createHash } from 'node:crypto'

/** The Merkle tree of RFC 9162 §2.1, which is that of RFC 6962: SHA-256, leaves and nodes hashed with different prefixes. */
const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The hash of a leaf. */
export const hashOfLeaf = (data: Buffer | string): Buffer => sha256(LEAF, data)
const hashOfNode = (left: Buffer, right: Buffer): Buffer => sha256(NODE, left, right)

/** The largest power of two below a number of leaves: where its tree is divided. */
const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The next level of a tree: pairs joined, a last single node carried up unchanged. */
const levelAbove = (level: readonly Buffer[]): Buffer[] => {
  const above: Buffer[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]]
    if (left) above.push(right ? hashOfNode(left, right) : left)
  }
  return above
}

/** The root of a tree, of the hashes of its leaves. */
export const rootOf = (leaves: readonly Buffer[]): Buffer => {
  let level = leaves
  while (level.length > 1) level = levelAbove(level)
  return level[0] ?? sha256()
}

/** Every level of a tree, from the hashes of its leaves up to the root. */
export type Tree = readonly (readonly Buffer[])[]

/** Computes a tree once for the paths of many leaves. */
export const treeOf = (leaves: readonly Buffer[]): Tree => {
  const levels = [leaves]
  for (let level = leaves; level.length > 1;) levels.push((level = levelAbove(level)))
  return levels
}

/** The hashes with which a leaf leads to the root, from the leaf upwards. */
export const pathOf = (tree: Tree, index: number): Buffer[] =>
  tree.flatMap((level, height) => (level.length > 1 ? (level[(index >> height) ^ 1] ?? []) : []))

/** The root to which a leaf's hash leads, or null for a path of another length than the tree needs. */
export const rootFromPath = (
  leaf: Buffer,
  index: number,
  size: number,
  path: readonly Buffer[],
): Buffer | null => {
  if (index < 0 || index >= size) return null
  if (size === 1) return path.length === 0 ? leaf : null
  const [sibling, rest] = [path.at(-1), path.slice(0, -1)]
  if (!sibling) return null
  const split = splitOf(size)
  const isLeft = index < split
  const inner = isLeft
    ? rootFromPath(leaf, index, split, rest)
    : rootFromPath(leaf, index - split, size - split, rest)
  if (inner === null) return null
  return isLeft ? hashOfNode(inner, sibling) : hashOfNode(sibling, inner)
}
