import {
  Client,
  clients,
  destinations,
  merchants,
  relationships,
  reviews,
  type Operation,
} from '@causeway/contracts'
import { z } from 'zod'

/**
 * State that is read before an action is asked for, and again before it is carried out: it must not have changed.
 * `own` names state of the gateway itself, which no operation on the bus reads.
 */
export type Precondition = Readonly<{
  from: Readonly<{ operation: Operation; query?: Readonly<Record<string, string>> }> | 'client'
  /** The part of the state that is kept, and shown as what would change. */
  of: (state: unknown, params: unknown) => unknown
}>

/** A case by its version, which every change that a reviewer can see increments. */
export const CaseBefore = z.object({
  status: z.string(),
  submitted_at: z.string().nullable(),
  version: z.number().optional(),
  edited_at: z.string().nullable().optional(),
})
export const caseState: Precondition = {
  from: { operation: reviews.get },
  of: (state) => CaseBefore.parse(reviews.get.reply.parse(state).verification),
}

export const RelationshipBefore = z.object({ relationship_status: z.string() })
export const relationshipState: Precondition = {
  from: { operation: relationships.getByStaff },
  of: (state) => ({
    relationship_status: relationships.getByStaff.reply.parse(state).customer.relationship_status,
  }),
}

export const suspensionState: Precondition = {
  from: { operation: merchants.get },
  of: (state) => ({ capabilities: merchants.get.reply.parse(state).suspended_capabilities }),
}

export const ClientBefore = clients.update.body.extend({ status: Client.shape.status })
export const clientState: Precondition = {
  from: 'client',
  of: (state) => {
    const { status, scopes, allowed_addresses, daily_refund_limit_cents } = Client.parse(state)
    return {
      status,
      scopes,
      allowed_addresses: allowed_addresses ?? null,
      daily_refund_limit_cents: daily_refund_limit_cents ?? null,
    }
  },
}

/** The URL of a partner's webhook; null where it is not among the first hundred. */
export const webhookState: Precondition = {
  from: { operation: destinations.list, query: { limit: '100' } },
  of: (state, params) => {
    const { webhookId } = destinations.update.params.parse(params)
    const { webhooks } = destinations.list.reply.parse(state)
    return { url: webhooks.find(({ webhook_id: id }) => id === webhookId)?.url ?? null }
  },
}
