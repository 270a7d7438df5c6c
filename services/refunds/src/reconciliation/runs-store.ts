import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { LeftOut, Window } from './scan-position.ts'

const RunRecord = z.object({
  id: z.number(),
  processor: z.string(),
  isDeep: z.boolean(),
  since: z.date(),
  coversUntil: z.date(),
  startedAt: z.date(),
  finishedAt: z.date().nullable(),
  cursor: z.string().nullable(),
  isListed: z.boolean(),
  /** Null: the list is read as one. */
  windows: z.array(Window).nullable(),
  leftOut: z.array(LeftOut),
  compared: z.number(),
  recorded: z.number(),
})
/** A comparison with a processor, as far as it has come. */
export type RunRecord = Readonly<z.infer<typeof RunRecord>>

const COLUMNS = `
  id, processor, is_deep AS "isDeep", since, covers_until AS "coversUntil", started_at AS "startedAt",
  finished_at AS "finishedAt", cursor, is_listed AS "isListed", windows, left_out AS "leftOut", compared, recorded`

/**
 * Takes or keeps the run under way, unless another replica has it. $1 processor, $2 holder, $3 now, $4 lease's end
 */
export const goOn = statement({
  name: 'reconciliation-runs.go-on',
  text: `
    UPDATE reconciliation_runs SET holder = $2, lease_until = $4
    WHERE processor = $1 AND finished_at IS NULL AND (holder = $2 OR lease_until < $3) RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** When the last runs began, a finished one or one under way, and what the last one left out. $1 processor */
export const readPast = statement({
  name: 'reconciliation-runs.read-past',
  text: `
    SELECT max(started_at) AS "startedAt", max(covers_until) AS "coversUntil",
      max(started_at) FILTER (WHERE is_deep) AS "deepStartedAt",
      coalesce((array_agg(left_out ORDER BY id DESC))[1], '[]') AS "leftOut"
    FROM reconciliation_runs WHERE processor = $1`,
  row: z.object({
    startedAt: z.date().nullable(),
    coversUntil: z.date().nullable(),
    deepStartedAt: z.date().nullable(),
    leftOut: z.array(LeftOut),
  }),
})

/**
 * One run a processor at a time, and none when another replica has made one since this was planned. $1 processor, $2 deep,
 * $3 since, $4 covers until, $5 now, $6 holder, $7 lease's end, $8 when the last known run began, or null, $9 windows or
 * null
 */
export const begin = statement({
  name: 'reconciliation-runs.begin',
  text: `
    INSERT INTO reconciliation_runs (processor, is_deep, since, covers_until, started_at, holder, lease_until, windows)
    SELECT $1, $2, $3, $4, $5, $6, $7, $9::jsonb
    WHERE NOT EXISTS (
      SELECT 1 FROM reconciliation_runs
      WHERE processor = $1 AND started_at > coalesce($8::timestamptz, '-infinity'))
    ON CONFLICT (processor) WHERE finished_at IS NULL DO NOTHING RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/**
 * Writes down how far the list was read; nothing when another replica has taken over. $1 id, $2 holder, $3 cursor,
 * $4 whether that was the end, $5 compared, $6 recorded, $7 lease's end, $8 windows or null, $9 left out
 */
export const advance = statement({
  name: 'reconciliation-runs.advance',
  text: `
    UPDATE reconciliation_runs SET cursor = $3, is_listed = $4, compared = compared + $5, recorded = recorded + $6,
      lease_until = $7, windows = $8::jsonb, left_out = $9::jsonb
    WHERE id = $1 AND holder = $2 AND finished_at IS NULL RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** Ends a run. $1 id, $2 holder, $3 now */
export const finish = statement({
  name: 'reconciliation-runs.finish',
  text: `
    UPDATE reconciliation_runs SET finished_at = $3, holder = NULL
    WHERE id = $1 AND holder = $2 AND finished_at IS NULL RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** Forgets the runs before a finished one, but the last deep one. $1 processor, $2 id, $3 whether it was deep */
export const forgetBefore = statement({
  name: 'reconciliation-runs.forget-before',
  text: `
    DELETE FROM reconciliation_runs
    WHERE processor = $1 AND id < $2 AND finished_at IS NOT NULL AND ($3 OR NOT is_deep)`,
})

/** Lets another replica go on at once. $1 processor, $2 holder */
export const release = statement({
  name: 'reconciliation-runs.release',
  text: `
    UPDATE reconciliation_runs SET holder = NULL, lease_until = '-infinity'
    WHERE processor = $1 AND holder = $2 AND finished_at IS NULL`,
})

/** Of each processor the last finished run and the one under way. */
export const latest = statement({
  name: 'reconciliation-runs.latest',
  text: `
    SELECT DISTINCT ON (processor, finished_at IS NULL) ${COLUMNS}
    FROM reconciliation_runs ORDER BY processor, finished_at IS NULL, id DESC`,
  row: RunRecord,
})
