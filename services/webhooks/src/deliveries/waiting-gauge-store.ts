import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** Counts waiting deliveries up to a bound, so that the count of a large backlog costs no more. $1 bound */
export const countWaiting = statement({
  name: 'deliveries.count-waiting',
  text: `
    SELECT count(*)::integer AS waiting
    FROM (SELECT FROM deliveries WHERE state = 'waiting' LIMIT $1) AS counted`,
  row: z.object({ waiting: z.number() }),
})
