import { z } from 'zod'

/** What a merchant's verification case means to its capabilities. */
export const MerchantVerification = z.enum(['required', 'approved', 'expired'])
export type MerchantVerification = z.infer<typeof MerchantVerification>
