import { faultOfUrl, MAX_URL_LENGTH, optionalText } from '@causeway/contracts'
import { z } from 'zod'

/**
 * An identifier of a processor or provider: visible ASCII of bounded length, so that it fits a path, a statement and a
 * log. A signature proves who sent a post, not that its fields are well formed.
 */
export const OutsideId = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** Other text of theirs: storable and bounded. */
export const OutsideText = optionalText(255)

/** An address that payers are sent to; http in the sandbox. */
export const OutsideUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .refine((text) => faultOfUrl(text, ['https:', 'http:']) === null)

/** A decimal amount without sign or exponent. */
export const OutsideAmount = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/)
