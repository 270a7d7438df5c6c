import { setting } from '@causeway/chassis/settings'
import { defineCardAccount } from '../account.ts'

export const STRIPE_ACCOUNT = defineCardAccount({
  isSandbox: false,
  settings: {
    STRIPE_SECRET_KEY: setting.string({
      optional: true,
      secret: true,
      doc: 'Secret key of the Stripe account. Unset: Stripe is not used',
    }),
  },
  checkoutSettings: {
    STRIPE_WEBHOOK_SECRET: setting.string({
      optional: true,
      secret: true,
      doc: 'Signing secret of the Stripe webhook endpoint /api/callbacks/cards/stripe. Set together with STRIPE_SECRET_KEY',
    }),
  },
  toAccount: ({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }) => ({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? null,
  }),
  open: async (account, bounds) => {
    // Stripe's SDK is 218 files, which hold 3 MiB.
    const { createStripeProcessor } = await import('./adapter.ts')
    return [createStripeProcessor({ ...account, ...bounds, apiUrl: null })]
  },
  openReports: async ({ secretKey }, bounds) => {
    const { createStripeSettlement } = await import('./settlement.ts')
    return [createStripeSettlement({ secretKey, ...bounds, apiUrl: null })]
  },
})
