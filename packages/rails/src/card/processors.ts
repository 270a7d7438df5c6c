import type { CardProcessor, CardProcessors, CardTraits } from './adapter.ts'
import { createSandboxCardProcessor } from './sandbox/adapter.ts'
import { createStripeProcessor, type StripeOptions } from './stripe/adapter.ts'

/** The sandbox's two, of opposite traits. */
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
  },
]

export type CardProcessorsOptions = Readonly<{
  /** Absolute bound of a call to a processor. */
  timeoutMs: number
  /** At most so many to each processor; further calls wait, and their bound runs. */
  connections: number
  /** Null in production: there is no sandbox. */
  sandbox: Readonly<{ baseUrl: string; secret: string }> | null
  /** Null where no Stripe account is configured. */
  stripe: Omit<StripeOptions, 'timeoutMs' | 'connections'> | null
}>

/** The processors that a deployment has accounts with, in the order in which integrations prefer them. */
export const createCardProcessors = ({
  timeoutMs,
  connections,
  sandbox,
  stripe,
}: CardProcessorsOptions): CardProcessors => {
  const processors: CardProcessor[] = []
  if (sandbox !== null)
    for (const traits of SANDBOX_CARD_TRAITS)
      processors.push(createSandboxCardProcessor(traits, { ...sandbox, timeoutMs, connections }))
  if (stripe !== null) processors.push(createStripeProcessor({ ...stripe, timeoutMs, connections }))
  return new Map(processors.map((processor) => [processor.traits.key, processor]))
}
