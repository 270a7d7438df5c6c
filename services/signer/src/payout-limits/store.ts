import { queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Adds to what was signed of a unit on a day, and locks it to the end of the transaction. @returns it with the addition */
export const addSpending = queryOne({
  name: 'payout-spending.add',
  parameters: { day: 'date', unit: 'text', amount: 'numeric' },
  text: `
    INSERT INTO payout_spending AS s (day, unit, amount) VALUES (:day, :unit, :amount)
    ON CONFLICT (day, unit) DO UPDATE SET amount = s.amount + excluded.amount
    RETURNING s.amount`,
  row: z.object({ amount: z.string() }),
})
