import { z } from 'zod'
import { AccountStatus } from '../gateway/clients.ts'
import { operation, resource } from '../operation.ts'

/** `access.partners`: partners for the pages of onboarding links. */
export const accessPartners = resource('access.partners', {
  get: operation({
    summary: 'Get the name and status of a partner',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ partner_id: z.string() }),
    reply: z.object({ name: z.string(), status: AccountStatus }),
    refusals: ['resource_not_found'],
  }),
})
