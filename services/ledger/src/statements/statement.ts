import { hashLine, pathOf, statementHash } from '@causeway/statement-proof'
import type { Statement } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import { leafOf } from '../seals/leaves.ts'
import { presentLine } from '../seals/lines.ts'
import type { LineRow } from '../seals/store.ts'
import type { SealTree } from '../seals/trees.ts'
import type { Part } from './pages.ts'
import type { Leaf } from './store.ts'

type Contents = Readonly<{
  month: string
  /** Every account of the statement. */
  leaves: readonly Leaf[]
  /** The accounts of the page, with their lines. */
  parts: readonly Part[]
  lines: readonly LineRow[]
  /** The trees of the page's accounts, by the number of the seal. */
  trees: ReadonlyMap<number, SealTree>
}>

const sumOf = (unit: string, amounts: readonly string[]) =>
  presentAmount(
    unit,
    amounts.reduce((sum, amount) => sum + BigInt(amount), 0n),
  )

/** Builds a page of a statement. Balances are those of the whole month; lines are those of the page. */
export const statementOf = ({ month, leaves, parts, lines, trees }: Contents): Statement => {
  const byAccount = Map.groupBy(lines, ({ accountId }) => accountId)
  const linesOf = ({ leaf }: Part) => (byAccount.get(leaf.accountId) ?? []).map(presentLine)
  const units = [...Map.groupBy(parts, ({ leaf }) => leaf.unit)].map(([unit, own]) => {
    const all = leaves.filter((leaf) => leaf.unit === unit)
    return {
      unit,
      opening: sumOf(
        unit,
        all.map((leaf) => (leaf.month === month ? leaf.opening : leaf.closing)),
      ),
      entries: own.flatMap(linesOf),
      closing: sumOf(
        unit,
        all.map(({ closing }) => closing),
      ),
    }
  })
  const accounts = parts.map((part) => ({
    leaf: leafOf(part.leaf, part.leaf.closed, part.leaf.nonce),
    seal: part.leaf.seal,
    index: part.leaf.place,
    path: pathOf(trees.get(part.leaf.seal)?.tree ?? [], part.leaf.place).map((hash) => hash.toString('hex')),
    lines: linesOf(part).map((line) => hashLine(part.leaf.unit, line)),
  }))
  const seals = [...trees.values()].map(({ number, size, root }) => ({ number, size, root }))
  return { month, units, sha256: statementHash({ month, units }), proof: { seals, accounts } }
}
