import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Checks whether a notice was processed before. */
export const getTaken = queryOne({
  name: 'card-notices.find-taken',
  parameters: { processor: 'text', noticeId: 'text' },
  text: 'SELECT notice_id FROM card_notices_taken WHERE processor = :processor AND notice_id = :noticeId',
  row: z.object({ noticeId: z.string() }),
})

export const insertTaken = queryNone({
  name: 'card-notices.keep-taken',
  parameters: { processor: 'text', noticeId: 'text', takenAt: 'timestamptz' },
  text: `
    INSERT INTO card_notices_taken (processor, notice_id, taken_at) VALUES (:processor, :noticeId, :takenAt)
    ON CONFLICT DO NOTHING`,
})

export const purgeTaken = queryNone({
  name: 'card-notices.forget-taken',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM card_notices_taken WHERE taken_at < :before',
})
