import { statementHash } from './leaf.ts'
import type { Statement } from './statement.ts'

type Unit = Statement['units'][number]
type Proven = Statement['proof']['accounts'][number]

/** Merges items with the same key, in the order of the first of each. */
const merge = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  join: (a: Item, b: Item) => Item,
): Item[] => {
  const merged = new Map<string, Item>()
  for (const item of items) {
    const known = merged.get(keyOf(item))
    merged.set(keyOf(item), known === undefined ? item : join(known, item))
  }
  return [...merged.values()]
}

/** Joins the pages of one statement, in order. Verify the result: it is right only if no page is missing. */
export const joinPages = (month: string, pages: readonly Statement[]): Statement => {
  const units = merge<Unit>(
    pages.flatMap((page) => page.units),
    ({ unit }) => unit,
    (a, b) => ({ ...a, entries: [...a.entries, ...b.entries] }),
  )
  const accounts = merge<Proven>(
    pages.flatMap(({ proof }) => proof.accounts),
    ({ leaf, seal, index }) => `${leaf.partnerCustomerId} ${leaf.balance} ${leaf.unit} ${seal} ${index}`,
    (a, b) => ({ ...a, lines: [...a.lines, ...b.lines] }),
  )
  const seals = merge(
    pages.flatMap(({ proof }) => proof.seals),
    ({ number, root }) => `${number} ${root}`,
    (seal) => seal,
  )
  return { month, units, sha256: statementHash({ month, units }), proof: { seals, accounts } }
}
