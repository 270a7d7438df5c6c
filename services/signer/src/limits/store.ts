import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

const Spent = z.object({ toAddress: z.string(), amount: z.string() })

/** Lists the amounts of an asset signed on a day: in total (the address is empty) and to one address. */
export const listSpending = queryMany({
  name: 'spending.list',
  parameters: { day: 'date', asset: 'text', toAddress: 'text' },
  text: `
    SELECT to_address, amount FROM spending
    WHERE day = :day AND asset = :asset AND to_address IN ('', :toAddress)`,
  row: Spent,
})

/** Adds to both and locks them to the end of the transaction. @returns both with the addition */
export const addSpending = queryMany({
  name: 'spending.add',
  parameters: { day: 'date', asset: 'text', toAddress: 'text', amount: 'numeric' },
  text: `
    INSERT INTO spending AS s (day, asset, to_address, amount)
    VALUES (:day, :asset, '', :amount), (:day, :asset, :toAddress, :amount)
    ON CONFLICT (day, asset, to_address) DO UPDATE SET amount = s.amount + excluded.amount
    RETURNING s.to_address, s.amount`,
  row: Spent,
})
