import { readdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import pg from 'pg'
import { SESSION_OPTIONS } from '../../db/connection.ts'
import { migrate } from '../../db/migrate.ts'
import { declaredStatements } from '../../db/statement.ts'
import { createLogger } from '../../log.ts'
import { testDatabase } from '../database.ts'
import { CHASSIS_ALLOWANCES, CHASSIS_SHAPES } from './chassis-shapes.ts'
import { planFaults, type PlanAllowances, type PlanFault } from './plan-faults.ts'
import { shapeTables } from './shape-tables.ts'
import { STAGES, type Stage, type TableShapes } from './table-shape.ts'

export type HeldPlans = Readonly<{
  /** Folder of the service: its stores are imported, its migrations run. */
  service: URL
  /** Shapes of all tables of the service. */
  shapes: TableShapes
  allowances: PlanAllowances
  /** Creates tables that no migration creates. @returns their shapes */
  prepare?: (client: pg.Client) => Promise<TableShapes>
}>

/** Declares all statements of a service by importing its stores. */
const importStores = async (folder: string): Promise<void> => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('store.ts')).sort())
    await import(pathToFileURL(join(folder, file)).href)
}

const assertAllShaped = async (client: pg.Client, shapes: TableShapes): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END AS name
     FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
  )
  const missing = rows.map(({ name }) => name).filter((name) => !(name in shapes))
  if (missing.length > 0) throw new Error(`Declare the sizes of these tables: ${missing.join(', ')}`)
}

const UNDEFINED_TABLE = '42P01'

/** As {@link planFaults}; none for a statement of the chassis on a table that this service does not have. */
const faultsIn = async (
  client: pg.Client,
  [name, text]: readonly [string, string],
  { shapes, ofChassis }: Readonly<{ shapes: TableShapes; ofChassis: ReadonlySet<string> }>,
): Promise<PlanFault[]> => {
  try {
    return await planFaults(client, text, shapes)
  } catch (error) {
    if (ofChassis.has(name) && (error as { code?: unknown }).code === UNDEFINED_TABLE) return []
    throw new Error(`The statement ${name} cannot be explained`, { cause: error })
  }
}

/** A fault of a statement, at one stage of its tables. */
type Found = PlanFault & Readonly<{ name: string; stage: Stage }>

const explainAll = async (
  client: pg.Client,
  ofChassis: ReadonlySet<string>,
  shapes: TableShapes,
): Promise<Found[]> => {
  const found: Found[] = []
  for (const stage of STAGES) {
    await shapeTables(client, shapes, stage)
    for (const statement of declaredStatements()) {
      const faults = await faultsIn(client, statement, { shapes, ofChassis })
      found.push(...faults.map((fault) => ({ ...fault, name: statement[0], stage })))
    }
  }
  return found
}

type Judgement = Readonly<{ faults: readonly string[]; unneeded: readonly string[] }>

const judge = (found: readonly Found[], allowances: PlanAllowances): Judgement => {
  const isAllowed = ({ name, kind }: Found) => allowances[name]?.may.includes(kind) === true
  const wanted = Object.entries(allowances).flatMap(([name, { may }]) => may.map((kind) => ({ name, kind })))
  return {
    faults: [
      ...new Set(
        found
          .filter((fault) => !isAllowed(fault))
          .map(({ name, kind, detail, stage }) => `${name} ${kind} ${detail} (${stage})`),
      ),
    ],
    unneeded: wanted
      .filter(({ name, kind }) => !found.some((fault) => fault.name === name && fault.kind === kind))
      .map(({ name, kind }) => `${name} ${kind}`),
  }
}

/**
 * Explains every statement that a service declares, on tables that look to the planner as large as they may become.
 * @returns what plans do wrong without an allowance, and the allowances that no plan needs
 */
export const judgePlans = async (held: HeldPlans): Promise<Judgement> => {
  const folder = fileURLToPath(held.service)
  await import('../../index.ts')
  const ofChassis = new Set(declaredStatements().keys())
  await importStores(join(folder, 'src'))
  const database = await testDatabase('held_plans')
  const client = new pg.Client({ connectionString: database.url, options: SESSION_OPTIONS })
  try {
    const log = createLogger({ service: 'held-plans', level: 'silent' })
    await migrate({ url: database.url, folder: join(folder, 'migrations'), log })
    await client.connect()
    const prepared = await held.prepare?.(client)
    const shapes = { ...CHASSIS_SHAPES, ...held.shapes, ...prepared }
    await assertAllShaped(client, shapes)
    return judge(await explainAll(client, ofChassis, shapes), { ...CHASSIS_ALLOWANCES, ...held.allowances })
  } finally {
    await client.end()
    await database.drop()
  }
}
