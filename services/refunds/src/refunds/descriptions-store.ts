import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** Memos of refunds at their end that are not sealed yet. $1 limit */
export const unsealed = statement({
  name: 'descriptions.unsealed',
  text: `
    SELECT id, description FROM refunds
    WHERE description IS NOT NULL AND state IN ('failed', 'reconciled') ORDER BY id LIMIT $1`,
  row: z.object({ id: z.string(), description: z.string() }),
})

/** $1 refunds, $2 their memos, sealed */
export const seal = statement({
  name: 'descriptions.seal',
  text: `
    UPDATE refunds SET description = NULL, description_sealed = sealed.text
    FROM unnest($1::text[], $2::text[]) AS sealed (id, text)
    WHERE refunds.id = sealed.id AND refunds.description IS NOT NULL`,
})
