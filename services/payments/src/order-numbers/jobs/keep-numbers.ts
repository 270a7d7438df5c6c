import { metrics, startLoop, type Loop } from '@causeway/chassis'
import { grantWhereShort, type NumberMarks, type NumbersContext } from '../grant.ts'
import type { Numbered } from '../segment.ts'
import { listNumbers, markNumbersSeen, type NumbersRow } from '../store.ts'

/** How old what is known may become: numbers of this time and of an outage are skipped when the mark was lost too. */
const EVERY_MS = 10_000

const left = metrics.gauge('causeway_order_numbers_left', 'Order numbers that are still free', ['name'])
const marked = metrics.gauge(
  'causeway_order_numbers_marked',
  '1: the high-water marks outside of the database are current; 0: they cannot be read or written',
)

/** Brings the mark of these numbers up to the database. @returns false when that failed */
const bringUp = async (marks: NumberMarks, row: NumbersRow): Promise<boolean> => {
  const name = row.name as Numbered
  const read = await marks.read(name)
  if (read === null) return false
  if ((read.mark?.ceiling ?? 0) >= row.ceiling) return true
  return (await marks.write(name, row.ceiling, read.revision)) === true
}

type Limits = (name: Numbered) => number

/** Grants numbers ahead, and records in the database and outside of it that what they say is all that was handed out. */
export const keepNumbers = async (
  context: NumbersContext,
  marks: NumberMarks,
  limitOf: Limits,
): Promise<void> => {
  const { db, clock } = context
  for (const { name } of await listNumbers(db)) await grantWhereShort(context, marks, name as Numbered)
  const nowMs = clock.outsideMs()
  const rows = await listNumbers(db)
  let areMarked = true
  for (const row of rows) {
    left.set({ name: row.name }, Math.max(0, limitOf(row.name as Numbered) - row.next + 1))
    areMarked = (await bringUp(marks, row)) && areMarked
  }
  await markNumbersSeen(db, { now: new Date(nowMs) })
  marked.set(areMarked && (await marks.seen(nowMs)) ? 1 : 0)
}

export const startNumbersKeeper = (context: NumbersContext, marks: NumberMarks, limitOf: Limits): Loop =>
  startLoop({
    name: 'order-numbers',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: () => keepNumbers(context, marks, limitOf),
  })
