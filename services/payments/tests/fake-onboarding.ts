import { createLogger, implement, newId, refuse, reply, serve, type Bus, type Clock } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { CAPABILITIES, relationships, type RelationshipState } from '@causeway/contracts'

const { getName, getState } = relationships

/**
 * A fake of onboarding as payments uses it: it answers `relationships.getState` and `getName`, and emits changes on the
 * stream. The test sets its state.
 */
export const createFakeOnboarding = (bus: Bus, clock: Clock) => {
  const known = new Map<string, RelationshipState>()
  const names = new Map<string, string>()
  let asked = 0
  let isDown = false
  serve(
    bus,
    implement(
      { getName, getState },
      {
        getName: async ({ body }) =>
          isDown
            ? refuse('temporarily_unavailable')
            : reply({ name: names.get(body.partner_customer_id) ?? null }),
        getState: async ({ body }) => {
          asked += 1
          const state = known.get(body.partner_customer_id)
          if (isDown) return refuse('temporarily_unavailable')
          return state?.partner_id === body.partner_id ? reply(state) : refuse('resource_not_found')
        },
      },
    ),
    {
      keys: testReceiverKeys(),
      service: 'onboarding',
      clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
  const keep = (state: RelationshipState): RelationshipState => {
    known.set(state.partner_customer_id, state)
    return state
  }
  return {
    /** The number of requests so far. */
    asked: () => asked,
    merchantOf: (id: string) => known.get(id)?.customer_id,
    /** Sets the customer's name. */
    call: (id: string, name: string) => {
      names.set(id, name)
    },
    setDown: (down: boolean) => {
      isDown = down
    },
    /** Adds a relationship with every capability, without publishing it. */
    relate: (partnerId: string, customerId = newId('merchant')): RelationshipState =>
      keep({
        partner_customer_id: newId('relationship'),
        partner_id: partnerId,
        customer_id: customerId,
        status: 'active',
        capabilities: CAPABILITIES.map((capability) => ({
          capability,
          enabled: true,
          available: true,
          reason: null,
        })),
        version: 1,
      }),
    /** Changes a relationship, without publishing it. */
    change: (
      id: string,
      change: Partial<RelationshipState> & { crypto?: Partial<RelationshipState['capabilities'][number]> },
    ): RelationshipState => {
      const before = known.get(id)
      if (!before) throw new Error(`No relationship ${id}`)
      const { crypto, ...rest } = change
      const capabilities = before.capabilities.map((entry) =>
        entry.capability === 'payments.crypto' ? { ...entry, ...crypto } : entry,
      )
      return keep({ ...before, version: before.version + 1, capabilities, ...rest })
    },
    /** Publishes a state on the stream. */
    publish: async (state: RelationshipState): Promise<void> => {
      const event = {
        id: newId('event'),
        name: 'relationship.changed',
        created_at: clock.now().toISOString(),
        partners: [],
        merchant: null,
        fact: { kind: 'relationship', relationship: state },
      }
      await bus.publishEvent('events.onboarding.relationship.changed', JSON.stringify(event), event.id, null)
    },
    /** Publishes an invalid event on the stream. */
    tellNonsense: () =>
      bus.publishEvent('events.onboarding.relationship.changed', 'not json', newId('event'), null),
  }
}
