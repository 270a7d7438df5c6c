import { implement, refuse, reply, type Implementation } from '@causeway/chassis'
import { OPT_IN_EVENT_TYPES, PARTNER_EVENT_TYPES, subscriptions } from '@causeway/contracts'
import { pageOfDestinations } from '../destinations/managing.ts'
import type { Dependencies } from '../dependencies.ts'

/** A partner's reads of its destinations (spec: Partner webhook subscription). */
export const subscriptionOperations = (dependencies: Dependencies): Implementation[] =>
  implement(subscriptions, {
    async list({ caller, query, now }) {
      const page = await pageOfDestinations(dependencies, 'subscriptions', caller.partnerId, {
        ...query,
        now,
      })
      if (page === null) return refuse('invalid_cursor')
      return reply({
        ...page,
        available_event_types: [...PARTNER_EVENT_TYPES],
        opt_in_event_types: [...OPT_IN_EVENT_TYPES],
        signature: {
          algorithm: 'hmac-sha256',
          header: 'x-signature',
          format: 'v1=<hex>',
          signed_payload: '<x-timestamp>.<raw request body>',
        },
      })
    },
  })
