import { z } from 'zod'

/** Effect of a merchant's verification case on its capabilities. */
export const MerchantVerification = z.enum(['required', 'approved', 'expired'])
export type MerchantVerification = z.infer<typeof MerchantVerification>
