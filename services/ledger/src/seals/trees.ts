import type { Queryable } from '@causeway/chassis'
import { treeOf, type Tree } from '@causeway/statement-proof'
import { hashHeader, type SealHeader } from './leaves.ts'
import * as store from './store.ts'

export type Seal = Awaited<ReturnType<typeof store.readSeals>>[number]

const HASH_BYTES = 32
/** Leaves of all trees that are kept in memory: about 30 MB. */
const MAX_KEPT_LEAVES = 100_000

/** The header of a seal, with the digest of its postings as the books have them now. */
export const readHeader = async (
  db: Queryable,
  { number, month, closes, firstSeq, lastSeq }: Seal,
  previous: Seal | null,
): Promise<SealHeader> => {
  const range = { first: BigInt(firstSeq), last: BigInt(lastSeq) }
  const postings = closes ? '' : ((await store.digestPostings(db, range))?.digest ?? '')
  return { number, month, closes, firstSeq, lastSeq, postings, previous: previous?.root ?? null }
}

/** The tree of a seal; its size is the number of leaves. */
export type SealTree = Readonly<{ number: number; size: number; root: string; tree: Tree }>

async function readTree(db: Queryable, number: number): Promise<SealTree> {
  const seals = await store.readSeals(db, { from: BigInt(number - 1), limit: 2 })
  const seal = seals.find((each) => each.number === number)
  if (!seal) throw new Error(`Seal ${number} is missing`)
  const header = await readHeader(db, seal, seals.find((each) => each.number === number - 1) ?? null)
  const { hashes } = (await store.readLeafHashes(db, { seal: BigInt(number) })) ?? { hashes: Buffer.of() }
  const leaves = Array.from({ length: hashes.length / HASH_BYTES }, (_, at) =>
    hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  )
  return { number, size: seal.size, root: seal.root, tree: treeOf([hashHeader(header), ...leaves]) }
}

/** Reads the trees of seals. Those read last are kept, because the end of a month is read by every merchant. */
export const createSealTrees = (db: Queryable): ((number: number) => Promise<SealTree>) => {
  const kept = new Map<number, SealTree>()
  return async (number) => {
    const tree = kept.get(number) ?? (await readTree(db, number))
    kept.delete(number)
    kept.set(number, tree)
    let leaves = 0
    for (const each of [...kept.values()].reverse()) {
      leaves += each.size
      if (leaves > MAX_KEPT_LEAVES) kept.delete(each.number)
    }
    return tree
  }
}
