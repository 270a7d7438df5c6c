import { implement, refuse, reply, type Implementation } from '@causeway/chassis'
import { PARTNER_EVENT_TYPES, subscriptions } from '@causeway/contracts'
import { readDestinations } from '../destinations/operations.ts'
import type { Parts } from '../dependencies.ts'

/** What a partner reads of its own destinations (spec: Partner webhook subscription). */
export const subscriptionOperations = (parts: Parts): Implementation[] =>
  implement(subscriptions, {
    async list({ caller, query }) {
      const page = await readDestinations(parts, 'subscriptions', caller.partnerId, query)
      if (page === null) return refuse('invalid_cursor')
      return reply({
        ...page,
        available_event_types: [...PARTNER_EVENT_TYPES],
        signature: {
          algorithm: 'hmac-sha256',
          header: 'x-signature',
          format: 'v1=<hex>',
          signed_payload: '<x-timestamp>.<raw request body>',
        },
      })
    },
  })
