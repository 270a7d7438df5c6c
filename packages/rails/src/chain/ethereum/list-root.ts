import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex } from './encoding.ts'

/** A node of the trie, or its reference in the parent: the node itself below 32 bytes, otherwise its hash. */
type Node = Uint8Array | Node[]
type Item = Readonly<{ nibbles: readonly number[]; value: Uint8Array }>

const EMPTY: Uint8Array = new Uint8Array()
const HASH_BYTES = 32

const nibblesOf = (key: Uint8Array): number[] => [...key].flatMap((byte) => [byte >> 4, byte & 15])

/** Hex-prefix encoding of a path (yellow paper, appendix C). */
const pathOf = (nibbles: readonly number[], isLeaf: boolean): Uint8Array => {
  const flag = isLeaf ? 2 : 0
  const all = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles]
  return Uint8Array.from(
    { length: all.length / 2 },
    (_, i) => ((all[2 * i] ?? 0) << 4) | (all[2 * i + 1] ?? 0),
  )
}

const referenceOf = (node: Node): Node => {
  const encoded = RLP.encode(node)
  return encoded.length < HASH_BYTES ? node : keccak_256(encoded)
}

/** Number of nibbles from `depth` on that all items share: those of the first and the last in order. */
const sharedLength = (items: readonly Item[], depth: number): number => {
  const first = items[0]?.nibbles ?? []
  const last = items.at(-1)?.nibbles ?? []
  let length = 0
  while (depth + length < first.length && first[depth + length] === last[depth + length]) length += 1
  return length
}

/** Items in order of their keys, of which none begins another: RLP of a number never does. */
const nodeOf = (items: readonly Item[], depth: number): Node => {
  const [first] = items
  if (!first) return EMPTY
  if (items.length === 1) return [pathOf(first.nibbles.slice(depth), true), first.value]
  const shared = sharedLength(items, depth)
  if (shared > 0)
    return [
      pathOf(first.nibbles.slice(depth, depth + shared), false),
      referenceOf(nodeOf(items, depth + shared)),
    ]
  const children = Array.from({ length: 16 }, (_, nibble) =>
    items.filter(({ nibbles }) => nibbles[depth] === nibble),
  )
  return [
    ...children.map((child) => (child.length === 0 ? EMPTY : referenceOf(nodeOf(child, depth + 1)))),
    EMPTY,
  ]
}

/**
 * Root of the Merkle Patricia trie of a list, keyed by the RLP of each index, in 0x hex: what a header says of its
 * block's transactions and receipts (yellow paper, appendix D).
 */
export const listRoot = (values: readonly Uint8Array[]): string => {
  const items = values
    .map((value, index) => ({ nibbles: nibblesOf(RLP.encode(index)), value }))
    .toSorted((a, b) => Buffer.compare(Uint8Array.from(a.nibbles), Uint8Array.from(b.nibbles)))
  return toHex(keccak_256(RLP.encode(nodeOf(items, 0))))
}
