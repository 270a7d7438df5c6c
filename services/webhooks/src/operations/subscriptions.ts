import { implement, reply, type Implementation } from '@causeway/chassis'
import { PARTNER_EVENT_TYPES, subscriptions } from '@causeway/contracts'
import { listDestinations } from '../store/destinations.ts'
import { presentWebhook } from './destinations.ts'
import type { Parts } from './parts.ts'

/** More than staff will ever set up for one partner; the list has no pages (spec: Partner webhook subscription). */
const MOST = 1_000

/** What a partner reads of its own destinations (spec: Partner webhook subscription). */
export const subscriptionOperations = ({ db }: Parts): Implementation[] =>
  implement(subscriptions, {
    async list({ caller }) {
      const rows = await db.query(listDestinations, ['partner', caller.partnerId, '', MOST])
      return reply({
        webhooks: rows.map(presentWebhook),
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
