import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** $1 merchant */
export const findMerchant = statement({
  name: 'merchants.find',
  text: 'SELECT id FROM merchants WHERE id = $1',
  row: z.object({ id: z.string() }),
})
