import { z } from 'zod'
import { operation, resource } from './operation.ts'
import { idOf } from './primitives.ts'

const merchantParams = z.object({ customerId: idOf('merchant') })

/** `onboarding.merchants`: the legal entities behind relationships, one each however many partners brought them. */
export const merchants = resource('onboarding.merchants', {
  read: operation({
    summary: 'Tell whether a merchant exists',
    caller: 'operator',
    params: merchantParams,
    reply: z.object({ customer_id: idOf('merchant') }),
    refusals: ['resource_not_found'],
  }),
})

/** `gateway.apiKeys`: credentials of the merchant API (spec: Authentication; decisions §14). */
export const apiKeys = resource('gateway.apiKeys', {
  create: operation({
    summary: 'Give a merchant a further API key; it is shown once',
    caller: 'operator',
    params: merchantParams,
    reply: z.object({ api_key: z.string().regex(/^mk_[\w-]{43}$/) }),
    refusals: ['resource_not_found', 'temporarily_unavailable'],
  }),
})
