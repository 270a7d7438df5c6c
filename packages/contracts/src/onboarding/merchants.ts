import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { CapabilityName, idOf } from '../primitives.ts'

/** `onboarding.merchants`: the legal entities behind relationships; each exists once, however many partners link it. */
export const merchants = resource('onboarding.merchants', {
  get: operation({
    summary: 'Check that a merchant exists, and what of it is suspended',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    reply: z.object({ customer_id: idOf('merchant'), suspended_capabilities: z.array(CapabilityName) }),
    refusals: ['resource_not_found'],
  }),
})
