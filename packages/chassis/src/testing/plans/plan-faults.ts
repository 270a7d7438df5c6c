import type pg from 'pg'
import { explain, type Step } from './explain.ts'
import { isSmall, type TableShapes } from './table-shape.ts'

/** A defect of a plan: it costs too much, reads a whole table, collects many rows, or sorts a page's rows. */
export type PlanFault = Readonly<{ kind: 'costs' | 'reads all' | 'collects' | 'sorts'; detail: string }>

/** Statements whose plans may do what a page must not, and why. */
export type PlanAllowances = Readonly<
  Record<string, Readonly<{ may: readonly PlanFault['kind'][]; because: string }>>
>

/** Rows of a page, and the extra row that shows that the list continues. */
const PAGE_ROWS = 101

/**
 * Most that a statement may cost, in the planner's units: 500 pages read at random, which are 50 ms of a solid-state
 * disk, and much less where they are cached.
 */
const MAX_COST = 2_000

/** Most rows that a step may collect before it passes on the first. */
const MAX_COLLECTED_ROWS = 1_000

const SORTING = ['Sort', 'Bitmap Heap Scan']
const COLLECTING = [...SORTING, 'Hash', 'Aggregate', 'WindowAgg', 'Materialize']

const LIMIT = /\bLIMIT \$\d+::(?:bigint|integer)/
const OFFSET = /\bOFFSET \$\d+::(?:bigint|integer)/

const ofOnePage = (text: string): string =>
  text
    .replaceAll(new RegExp(LIMIT, 'g'), `LIMIT ${PAGE_ROWS}`)
    .replaceAll(new RegExp(OFFSET, 'g'), `OFFSET ${PAGE_ROWS}`)

const faultsOf = (steps: readonly Step[], shapes: TableShapes): PlanFault[] =>
  steps.flatMap(({ type, table, rows, isDisabled, filtersWholeIndex, isLimited }) => {
    const faults: PlanFault[] = []
    const readsAll = isDisabled || type.endsWith('Seq Scan') || filtersWholeIndex
    if (readsAll && table !== null && !isSmall(shapes, table))
      faults.push({ kind: 'reads all', detail: `of ${table}` })
    if (COLLECTING.includes(type) && !isLimited && rows > MAX_COLLECTED_ROWS)
      faults.push({ kind: 'collects', detail: `${rows} rows (${type})` })
    return faults
  })

/**
 * A page that is sorted costs little for an owner of a few rows. The same plan is kept for the owner of a million, so
 * that a page has to be read in the order of an index, or say what bounds the rows that it sorts.
 */
const sortedPage = (steps: readonly Step[], shapes: TableShapes): PlanFault[] => {
  const sorted = steps.find(
    ({ type, tables, isLimited }) =>
      SORTING.includes(type) && !isLimited && tables.some((table) => !isSmall(shapes, table)),
  )
  return sorted ? [{ kind: 'sorts', detail: `${sorted.tables.join(', ')} before it limits` }] : []
}

/**
 * Finds the defects of a statement's plans: the generic plan that a connection caches, in which the planner assumes that an
 * unknown LIMIT is a tenth of all rows, and the plan of one page.
 */
export const planFaults = async (
  client: pg.Client,
  text: string,
  shapes: TableShapes,
): Promise<PlanFault[]> => {
  const page = await explain(client, ofOnePage(text))
  const kept = await explain(client, text)
  return [
    ...(page.cost > MAX_COST ? [{ kind: 'costs', detail: page.cost.toFixed(0) } as const] : []),
    ...faultsOf(page.steps, shapes),
    ...faultsOf(kept.steps, shapes),
    ...(LIMIT.test(text) ? sortedPage(kept.steps, shapes) : []),
  ]
}
