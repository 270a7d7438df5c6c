import { z } from 'zod'

/** A price as a plain decimal above zero. */
export const Price = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)?$/)
  .refine((price) => /[1-9]/.test(price))
