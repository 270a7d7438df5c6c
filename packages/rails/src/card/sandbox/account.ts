import { setting } from '@causeway/chassis/settings'
import { defineCardAccount } from '../account.ts'
import type { CardTraits } from '../adapter.ts'

/** The sandbox's two processors, with opposite traits. */
export const SANDBOX_CARD_TRAITS: readonly CardTraits[] = [
  {
    key: 'processor',
    pspLabel: 'Sandbox',
    projectId: 'sandbox',
    partialRefunds: true,
    orderLines: true,
    disputeNotices: 'notices',
    disputeAmounts: true,
    asksBeforeCharge: true,
    currencies: null,
    amountStep: () => 1,
  },
  {
    key: 'processor_full',
    pspLabel: 'Sandbox Full',
    projectId: 'sandbox-full',
    partialRefunds: false,
    orderLines: false,
    disputeNotices: 'file',
    disputeAmounts: false,
    asksBeforeCharge: true,
    currencies: null,
    amountStep: () => 1,
  },
]

export const SANDBOX_CARD_ACCOUNT = defineCardAccount({
  isSandbox: true,
  settings: {
    CARD_URL: setting.httpUrl({
      optional: true,
      doc: "URL of the sandbox's card processors. Development only. Unset: no sandbox",
    }),
  },
  checkoutSettings: {
    SANDBOX_CARD_SECRET: setting.string({
      optional: true,
      secret: true,
      doc: "Secret with which the sandbox's card processors sign their notices. Set together with CARD_URL",
    }),
  },
  toAccount: ({ CARD_URL, SANDBOX_CARD_SECRET }) => ({
    baseUrl: CARD_URL,
    secret: SANDBOX_CARD_SECRET ?? null,
  }),
  open: async (account, { timeoutMs, connections }) => {
    // The adapter is an HTTP client of 190 files, which neither production nor the sandbox itself uses.
    const { createSandboxCardProcessor } = await import('./adapter.ts')
    return SANDBOX_CARD_TRAITS.map((traits) =>
      createSandboxCardProcessor(traits, { ...account, timeoutMs, connections }),
    )
  },
  openReports: async ({ baseUrl }, { timeoutMs, connections }) => {
    const { createSandboxSettlement } = await import('./settlement.ts')
    return SANDBOX_CARD_TRAITS.map(({ key }) =>
      createSandboxSettlement(key, { baseUrl, timeoutMs, connections }),
    )
  },
})
