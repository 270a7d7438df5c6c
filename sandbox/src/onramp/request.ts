import { Currency } from '@causeway/contracts'
import { z } from 'zod'

const Amount = z
  .string()
  .max(60)
  .regex(/^\d+(\.\d+)?$/)

/** Request of the platform to the onramp provider. */
export const OnrampRequest = z.strictObject({
  fiat: Currency,
  fiat_amount: Amount.nullable(),
  crypto: z.string().max(10),
  crypto_amount: Amount,
  blockchain: z.string().max(10),
  address: z.string().min(1).max(200),
  return_url: z.url().nullable(),
  notice_url: z.url(),
})
export type OnrampRequest = z.infer<typeof OnrampRequest>
