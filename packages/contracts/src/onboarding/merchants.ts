import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { CapabilityName, idOf } from '../primitives.ts'

/** `onboarding.merchants`: the legal entities behind relationships; each exists once, however many partners link it. */
export const merchants = resource('onboarding.merchants', {
  get: operation({
    summary: 'Get a merchant’s suspended capabilities, if the merchant exists',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    reply: z.object({ customer_id: idOf('merchant'), suspended_capabilities: z.array(CapabilityName) }),
    refusals: ['resource_not_found'],
  }),
})
