import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Adds the reports that are not known; they are due immediately. */
export const addReports = queryNone({
  name: 'settlement-reports.add',
  parameters: { processors: 'text[]', now: 'timestamptz' },
  text: `
    INSERT INTO settlement_reports (processor, complete, due_at)
    SELECT processor, true, :now FROM unnest(:processors) AS n (processor) ON CONFLICT DO NOTHING`,
})

/** Claims the reports that are due until a time, so that no other replica reads them. */
export const claimReports = queryMany({
  name: 'settlement-reports.claim',
  parameters: { processors: 'text[]', now: 'timestamptz', until: 'timestamptz' },
  text: `
    UPDATE settlement_reports SET due_at = :until WHERE processor = ANY (:processors) AND due_at <= :now
    RETURNING processor, position`,
  row: z.object({ processor: z.string(), position: z.string().nullable() }),
})

/** Saves how far a report is read. @returns null if another replica has read further */
export const savePosition = queryOne({
  name: 'settlement-reports.save',
  parameters: {
    processor: 'text',
    from: 'text?',
    position: 'text',
    complete: 'boolean',
    dueAt: 'timestamptz',
    readAt: 'timestamptz?',
  },
  text: `
    UPDATE settlement_reports SET position = :position, complete = :complete, due_at = :dueAt,
      read_at = coalesce(:readAt, read_at)
    WHERE processor = :processor AND position IS NOT DISTINCT FROM :from RETURNING processor`,
  row: z.object({ processor: z.string() }),
})

/** Sets when a report that could not be read is due again. */
export const postponeReport = queryNone({
  name: 'settlement-reports.postpone',
  parameters: { processor: 'text', dueAt: 'timestamptz' },
  text: 'UPDATE settlement_reports SET due_at = :dueAt WHERE processor = :processor',
})

/** True unless pages of a processor's report are missing. */
export const isComplete = queryOne({
  name: 'settlement-reports.is-complete',
  parameters: { processor: 'text' },
  text: `
    SELECT NOT EXISTS (SELECT FROM settlement_reports WHERE processor = :processor AND NOT complete) AS complete`,
  row: z.object({ complete: z.boolean() }),
})
