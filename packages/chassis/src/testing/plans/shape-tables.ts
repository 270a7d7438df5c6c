import pg from 'pg'
import { YOUNG_SHARE, type ColumnShape, type Stage, type TableShapes } from './table-shape.ts'

const PAGE_BYTES = 8_192
/** PostgreSQL keeps a relation in files of 1 GiB. */
const SEGMENT_PAGES = 131_072
const INDEX_ENTRY_BYTES = 64
/** How full the pages of a B-tree are that is filled in no order. */
const INDEX_FILL = 0.7
const VISIBLE = 0.9

type Relation = Readonly<{ oid: number; path: string; rows: number; pages: number }>

/** Commands that lengthen a relation's files by holes, which take no room on the disk. */
const lengthening = ({ path, pages }: Relation): string[] => {
  const commands: string[] = []
  for (let segment = 0; segment * SEGMENT_PAGES < pages; segment += 1) {
    const bytes = Math.min(pages - segment * SEGMENT_PAGES, SEGMENT_PAGES) * PAGE_BYTES
    commands.push(`truncate -s ${bytes} ${path}${segment === 0 ? '' : `.${segment}`}`)
  }
  return commands
}

/** The planner scales what it knows of a relation to the length of its files. */
const apply = async (client: pg.Client, relations: readonly Relation[]): Promise<void> => {
  for (const { oid, rows, pages } of relations)
    await client.query(
      `SELECT pg_restore_relation_stats('schemaname', nspname::text, 'relname', relname::text,
         'relpages', $2::integer, 'reltuples', $3::real, 'relallvisible', $4::integer)
       FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE pg_class.oid = $1`,
      [oid, pages, rows, Math.floor(VISIBLE * pages)],
    )
  const script = [...relations.flatMap(lengthening), 'cat > /dev/null'].join('\n')
  await client.query(`COPY (SELECT) TO PROGRAM ${pg.escapeLiteral(script)}`)
}

const ownersAt = ({ busy, even }: Readonly<{ busy: number; even: number }>, stage: Stage): number =>
  stage === 'even' ? even : stage === 'between' ? Math.round(Math.sqrt(busy * even)) : busy

const distinctOf = ({ distinct, shares }: ColumnShape, rows: number, stage: Stage): number => {
  const values =
    typeof distinct === 'object' ? ownersAt(distinct, stage) : (distinct ?? Object.keys(shares ?? {}).length)
  // PostgreSQL's own form for a number that grows with the table.
  return values === 0 ? -1 : values > rows / 10 ? -Math.min(1, values / rows) : values
}

const restoreColumn = async (
  client: pg.Client,
  [schema, table, column]: readonly [string, string, string],
  values: Readonly<{ distinct: number; nulls: number; shares: Readonly<Record<string, number>> | undefined }>,
): Promise<void> => {
  const { distinct, nulls, shares } = values
  const given: [argument: string, type: string, value: unknown][] = [
    ['null_frac', 'real', nulls],
    ['avg_width', 'integer', 16],
    ['n_distinct', 'real', distinct],
  ]
  if (shares !== undefined)
    given.push(
      ['most_common_vals', 'text', `{${Object.keys(shares).join(',')}}`],
      ['most_common_freqs', 'real[]', Object.values(shares)],
    )
  await client.query(
    `SELECT pg_restore_attribute_stats('schemaname', $1::text, 'relname', $2::text, 'attname', $3::text,
       'inherited', false, ${given.map(([name, type], index) => `'${name}', $${index + 4}::${type}`).join(', ')})`,
    [schema, table, column, ...given.map(([, , value]) => value)],
  )
}

const relationsOf = async (
  client: pg.Client,
  table: string,
): Promise<(Relation & { predicate: string | null })[]> => {
  const { rows } = await client.query<{ oid: number; path: string; predicate: string | null }>(
    `SELECT oid::integer, pg_relation_filepath(oid) AS path, NULL AS predicate FROM pg_class WHERE oid = $1::regclass
     UNION ALL
     SELECT indexrelid::integer, pg_relation_filepath(indexrelid), pg_get_expr(indpred, indrelid)
     FROM pg_index WHERE indrelid = $1::regclass`,
    [table],
  )
  return rows.map((row) => ({ ...row, rows: 0, pages: 0 }))
}

const plannedRows = async (client: pg.Client, table: string, condition: string): Promise<number> => {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT FROM ${table} WHERE ${condition}`,
  )
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/**
 * Makes empty tables look to the planner as if they held these rows: their statistics are restored, and their files
 * and those of their indexes get the length of such a table. Only for EXPLAIN: there is nothing to read in them.
 * @param client a superuser's: the server itself lengthens the files
 */
export const shapeTables = async (client: pg.Client, shapes: TableShapes, stage: Stage): Promise<void> => {
  for (const [name, { rows: grown, bytes, columns = {} }] of Object.entries(shapes)) {
    const rows = stage === 'young' ? Math.ceil(grown * YOUNG_SHARE) : grown
    await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`)
    const [table, ...indexes] = await relationsOf(client, name)
    if (!table) throw new Error(`There is no table ${name}`)
    await apply(client, [{ ...table, rows, pages: Math.ceil((rows * bytes) / PAGE_BYTES) }])
    const [schema, relation] = name.includes('.') ? (name.split('.') as [string, string]) : ['public', name]
    for (const [column, shape] of Object.entries(columns))
      await restoreColumn(client, [schema, relation, column], {
        distinct: distinctOf(shape, rows, stage),
        nulls: shape.nulls ?? 0,
        shares: shape.shares,
      })
    const shaped: Relation[] = []
    for (const { predicate, ...index } of indexes) {
      const held = predicate === null ? rows : await plannedRows(client, name, predicate)
      shaped.push({
        ...index,
        rows: held,
        pages: 1 + Math.ceil((held * INDEX_ENTRY_BYTES) / INDEX_FILL / PAGE_BYTES),
      })
    }
    await apply(client, shaped)
  }
}
