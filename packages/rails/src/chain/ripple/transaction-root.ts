import { hashOf } from './hashes.ts'

/** A transaction with its metadata, as a ledger's tree has them. */
export type Leaf = Readonly<{ id: Buffer; transaction: Buffer; metadata: Buffer }>

const NOTHING = Buffer.alloc(32)

/** Length before bytes of variable length. */
const lengthOf = ({ length }: Buffer): Buffer => {
  if (length <= 192) return Buffer.from([length])
  if (length <= 12_480) return Buffer.from([193 + ((length - 193) >> 8), (length - 193) & 255])
  const above = length - 12_481
  return Buffer.from([241 + (above >> 16), (above >> 8) & 255, above & 255])
}

const leafHash = ({ id, transaction, metadata }: Leaf): Buffer =>
  hashOf('transactionNode', lengthOf(transaction), transaction, lengthOf(metadata), metadata, id)

const nibbleAt = (id: Buffer, depth: number): number => {
  const byte = id[depth >> 1] ?? 0
  return depth % 2 === 0 ? byte >> 4 : byte & 15
}

const innerHash = (leaves: readonly Leaf[], depth: number): Buffer => {
  const branches = Array.from({ length: 16 }, (): Leaf[] => [])
  for (const leaf of leaves) branches[nibbleAt(leaf.id, depth)]?.push(leaf)
  const hashes = branches.map(([first, ...others]) => {
    if (!first) return NOTHING
    return others.length === 0 ? leafHash(first) : innerHash([first, ...others], depth + 1)
  })
  return hashOf('innerNode', ...hashes)
}

/** The root of the tree by transaction ids (xrpl.org, "SHAMap"). No id may come twice. */
export const transactionRootOf = (leaves: readonly Leaf[]): Buffer =>
  leaves.length === 0 ? NOTHING : innerHash(leaves, 0)
