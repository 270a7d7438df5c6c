import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** SQL: the subject that a value of a column names, so that its key is found whatever month it is of. */
export const subjectIn = (column: string): string => `split_part(${column}, '.', 2)`

/** Destroys the keys of months before another. $1 the first subject that stays */
export const destroyBefore = statement({
  name: 'payer-keys.destroy-before',
  text: `DELETE FROM data_keys WHERE subject LIKE 'payers-%' AND subject < $1 RETURNING subject`,
  row: z.object({ subject: z.string() }),
})
