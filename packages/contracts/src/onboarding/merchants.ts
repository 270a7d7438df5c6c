import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf } from '../primitives.ts'

/** `onboarding.merchants`: the legal entities behind relationships, one each however many partners brought them. */
export const merchants = resource('onboarding.merchants', {
  read: operation({
    summary: 'Tell whether a merchant exists',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    reply: z.object({ customer_id: idOf('merchant') }),
    refusals: ['resource_not_found'],
  }),
})
