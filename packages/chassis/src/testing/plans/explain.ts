import type pg from 'pg'

type Node = Readonly<{
  'Node Type': string
  'Relation Name'?: string
  Schema?: string
  'Index Cond'?: string
  Filter?: string
  'Subplan Name'?: string
  'CTE Name'?: string
  'Plan Rows': number
  'Total Cost': number
  Disabled: boolean
  Plans?: readonly Node[]
}>

/** A step of a plan, with what is below it. */
export type Step = Readonly<{
  type: string
  /** With its schema where that is not `public`; null for a step that reads no table. */
  table: string | null
  /** Tables that are read below this step or by it. */
  tables: readonly string[]
  /** The most rows that the planner expects of this step or of one of those just below it. */
  rows: number
  isDisabled: boolean
  /** True if it reads a whole index and filters the rows: to the end if no row matches. */
  filtersWholeIndex: boolean
  /** True if a LIMIT below bounds its rows, for any value that the planner assumes. */
  isLimited: boolean
}>

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const tableOf = ({ 'Relation Name': name, Schema: schema = 'public' }: Node): string | null =>
  name === undefined ? null : schema === 'public' ? name : `${schema}.${name}`

const stepsOf = (plan: Node): Step[] => {
  const nodes = nodesOf(plan)
  const hasLimit = (node: Node) => nodesOf(node).some((below) => below['Node Type'] === 'Limit')
  const limitedCtes = new Set(nodes.filter(hasLimit).map((node) => node['Subplan Name']))
  const readsLimitedCte = ({ 'CTE Name': cte }: Node) => cte !== undefined && limitedCtes.has(`CTE ${cte}`)
  return nodes.map((node) => {
    const below = nodesOf(node)
    return {
      type: node['Node Type'],
      table: tableOf(node),
      tables: below.map(tableOf).filter((table) => table !== null),
      rows: Math.max(node['Plan Rows'], ...(node.Plans ?? []).map((child) => child['Plan Rows'])),
      isDisabled: node.Disabled,
      filtersWholeIndex:
        node['Node Type'].startsWith('Index') &&
        node['Index Cond'] === undefined &&
        node.Filter !== undefined,
      isLimited: hasLimit(node) || below.some(readsLimitedCte),
    }
  })
}

/** The plan of a statement for values that are not known: its cost in the planner's units, and its steps. */
export const explain = async (
  client: pg.Client,
  text: string,
): Promise<Readonly<{ cost: number; steps: readonly Step[] }>> => {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`,
  )
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('EXPLAIN returned no plan')
  return { cost: plan.Plan['Total Cost'], steps: stepsOf(plan.Plan) }
}
