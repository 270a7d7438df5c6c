import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** SQL: the key's subject in a sealed value, which finds its key whatever its month. */
export const subjectIn = (column: string): string => `split_part(${column}, '.', 2)`

/** Deletes the keys of the months before `firstKept`. */
export const deletePayerKeysBefore = queryMany({
  name: 'payer-keys.destroy-before',
  parameters: { firstKept: 'text' },
  text: `DELETE FROM data_keys WHERE subject LIKE 'payers-%' AND subject < :firstKept RETURNING subject`,
  row: z.object({ subject: z.string() }),
})
