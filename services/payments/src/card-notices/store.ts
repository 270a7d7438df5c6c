import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** $1 processor, $2 notice */
export const findTaken = statement({
  name: 'card-notices.find-taken',
  text: 'SELECT notice_id AS "noticeId" FROM card_notices_taken WHERE processor = $1 AND notice_id = $2',
  row: z.object({ noticeId: z.string() }),
})

/** $1 processor, $2 notice, $3 now */
export const keepTaken = statement({
  name: 'card-notices.keep-taken',
  text: `
    INSERT INTO card_notices_taken (processor, notice_id, taken_at) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING`,
})

/** $1 before */
export const forgetTaken = statement({
  name: 'card-notices.forget-taken',
  text: 'DELETE FROM card_notices_taken WHERE taken_at < $1',
})
