import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { SkippedPart, Window } from './scan-position.ts'

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
  /** Null: the list is read as one window. */
  windows: z.array(Window).nullable(),
  /** Column `left_out`, the API's word. */
  skipped: z.array(SkippedPart),
  compared: z.number(),
  recorded: z.number(),
})
/** A run of the reconciliation with a processor, finished or in progress. */
export type RunRecord = Readonly<z.infer<typeof RunRecord>>

const COLUMNS = `
  id, processor, is_deep, since, covers_until, started_at, finished_at, cursor, is_listed, windows, left_out AS skipped,
  compared, recorded`

/** Claims the run in progress, or renews its lease; null when another replica holds it or no run is in progress. */
export const claimCurrentRun = queryOne({
  name: 'reconciliation-runs.go-on',
  parameters: { processor: 'text', holder: 'text', now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    UPDATE reconciliation_runs SET holder = :holder, lease_until = :leaseUntil
    WHERE processor = :processor AND finished_at IS NULL AND (holder = :holder OR lease_until < :now)
    RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** When the last runs began, finished or in progress, and what the last one skipped. */
export const getPastRuns = queryOne({
  name: 'reconciliation-runs.read-past',
  parameters: { processor: 'text' },
  text: `
    SELECT max(started_at) AS started_at, max(covers_until) AS covers_until,
      max(started_at) FILTER (WHERE is_deep) AS deep_started_at,
      coalesce((array_agg(left_out ORDER BY id DESC))[1], '[]') AS skipped
    FROM reconciliation_runs WHERE processor = :processor`,
  row: z.object({
    startedAt: z.date().nullable(),
    coversUntil: z.date().nullable(),
    deepStartedAt: z.date().nullable(),
    skipped: z.array(SkippedPart),
  }),
})

/**
 * Inserts a run: one a processor at a time, and none (null) when another replica has begun one since `lastStartedAt`,
 * when the last run known here began.
 */
export const insertRun = queryOne({
  name: 'reconciliation-runs.begin',
  parameters: {
    processor: 'text',
    isDeep: 'boolean',
    since: 'timestamptz',
    coversUntil: 'timestamptz',
    now: 'timestamptz',
    holder: 'text',
    leaseUntil: 'timestamptz',
    lastStartedAt: 'timestamptz?',
    windows: 'jsonb?',
  },
  text: `
    INSERT INTO reconciliation_runs (processor, is_deep, since, covers_until, started_at, holder, lease_until, windows)
    SELECT :processor, :isDeep, :since, :coversUntil, :now, :holder, :leaseUntil, :windows
    WHERE NOT EXISTS (
      SELECT 1 FROM reconciliation_runs
      WHERE processor = :processor AND started_at > coalesce(:lastStartedAt, '-infinity'))
    ON CONFLICT (processor) WHERE finished_at IS NULL DO NOTHING RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** Stores how far the list was read; null when another replica has taken over. `isListed`: its end was reached. */
export const advanceRun = queryOne({
  name: 'reconciliation-runs.advance',
  parameters: {
    runId: 'bigint',
    holder: 'text',
    cursor: 'text?',
    isListed: 'boolean',
    compared: 'integer',
    recorded: 'integer',
    leaseUntil: 'timestamptz',
    windows: 'jsonb?',
    skipped: 'jsonb',
  },
  text: `
    UPDATE reconciliation_runs SET cursor = :cursor, is_listed = :isListed, compared = compared + :compared,
      recorded = recorded + :recorded, lease_until = :leaseUntil, windows = :windows, left_out = :skipped
    WHERE id = :runId AND holder = :holder AND finished_at IS NULL RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** Ends a run; null when another replica has taken over. */
export const finishRun = queryOne({
  name: 'reconciliation-runs.finish',
  parameters: { runId: 'bigint', holder: 'text', now: 'timestamptz' },
  text: `
    UPDATE reconciliation_runs SET finished_at = :now, holder = NULL
    WHERE id = :runId AND holder = :holder AND finished_at IS NULL RETURNING ${COLUMNS}`,
  row: RunRecord,
})

/** Deletes the runs before a finished one, but the last deep one. */
export const purgeRunsBefore = queryNone({
  name: 'reconciliation-runs.forget-before',
  parameters: { processor: 'text', runId: 'bigint', isDeep: 'boolean' },
  text: `
    DELETE FROM reconciliation_runs
    WHERE processor = :processor AND id < :runId AND finished_at IS NOT NULL AND (:isDeep OR NOT is_deep)`,
})

/** Releases the lease, so that another replica can continue immediately. */
export const releaseRun = queryNone({
  name: 'reconciliation-runs.release',
  parameters: { processor: 'text', holder: 'text' },
  text: `
    UPDATE reconciliation_runs SET holder = NULL, lease_until = '-infinity'
    WHERE processor = :processor AND holder = :holder AND finished_at IS NULL`,
})

/** Lists the last finished run and the run in progress of each processor. */
export const listLatestRuns = queryMany({
  name: 'reconciliation-runs.latest',
  text: `
    SELECT DISTINCT ON (processor, finished_at IS NULL) ${COLUMNS}
    FROM reconciliation_runs ORDER BY processor, finished_at IS NULL, id DESC`,
  row: RunRecord,
})
