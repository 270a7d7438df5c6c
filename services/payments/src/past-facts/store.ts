import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Begins to make past facts at a time, once. */
export const insertProgress = queryNone({
  name: 'past-facts.insert-progress',
  parameters: { dueAt: 'timestamptz' },
  text: 'INSERT INTO past_facts (due_at) VALUES (:dueAt) ON CONFLICT DO NOTHING',
})

/** Locks the progress if facts are due; null while another replica has it, and once all are made. */
export const lockProgress = queryOne({
  name: 'past-facts.lock-progress',
  parameters: { now: 'timestamptz' },
  text: 'SELECT source, position FROM past_facts WHERE due_at <= :now FOR UPDATE SKIP LOCKED',
  row: z.object({ source: z.string().nullable(), position: z.string() }),
})

/** `dueAt`: null once all facts are made. */
export const saveProgress = queryNone({
  name: 'past-facts.save-progress',
  parameters: { source: 'text?', position: 'text', dueAt: 'timestamptz?' },
  text: 'UPDATE past_facts SET source = :source, position = :position, due_at = :dueAt',
})

/** Returns the ids of those facts that were recorded before. */
export const listKnown = queryMany({
  name: 'past-facts.list-known',
  parameters: { factIds: 'text[]' },
  text: 'SELECT fact_id FROM ledger_facts WHERE fact_id = ANY (:factIds)',
  row: z.object({ factId: z.string() }),
})

/** Lists rows that do not tell a movement completely, once each. */
export const insertGaps = queryNone({
  name: 'past-facts.insert-gaps',
  parameters: { subjects: 'text[]', reasons: 'text[]', now: 'timestamptz' },
  text: `
    INSERT INTO past_fact_gaps (subject, reason, found_at)
    SELECT g.subject, g.reason, :now FROM unnest(:subjects, :reasons) AS g (subject, reason) ON CONFLICT DO NOTHING`,
})
