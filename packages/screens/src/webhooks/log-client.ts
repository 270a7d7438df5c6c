import { deliveries, events, MERCHANT_EVENTS, PARTNER_EVENT_TYPES, redeliveries } from '@causeway/contracts'
import type { Ask } from '../screen.ts'
import { mapped, nothing, type LogClient } from './client.ts'

const OF_PARTNER = {
  types: PARTNER_EVENT_TYPES,
  listEvents: events.list,
  getEvent: events.get,
  listEventsOfWebhook: events.listOfDestination,
  resend: events.resend,
  listDeliveries: deliveries.list,
  createRedelivery: redeliveries.create,
  listRedeliveries: redeliveries.list,
  getRedelivery: redeliveries.get,
  cancelRedelivery: redeliveries.cancel,
} as const

const OF_MERCHANT = {
  types: MERCHANT_EVENTS,
  listEvents: events.listOfMerchant,
  getEvent: events.getOfMerchant,
  listEventsOfWebhook: events.listOfMerchantDestination,
  resend: events.resendOfMerchant,
  listDeliveries: deliveries.listOfMerchant,
  createRedelivery: redeliveries.createOfMerchant,
  listRedeliveries: redeliveries.listOfMerchant,
  getRedelivery: redeliveries.getOfMerchant,
  cancelRedelivery: redeliveries.cancelOfMerchant,
} as const

/** A merchant's own log: the session names the merchant. */
const OWN = {
  types: MERCHANT_EVENTS,
  listEvents: events.listOwn,
  getEvent: events.getOwn,
  listEventsOfWebhook: events.listOfOwnDestination,
  resend: events.resendOwn,
  listDeliveries: deliveries.listOwn,
  createRedelivery: redeliveries.createOwn,
  listRedeliveries: redeliveries.listOwn,
  getRedelivery: redeliveries.getOwn,
  cancelRedelivery: redeliveries.cancelOwn,
} as const

type Operations = typeof OF_PARTNER | typeof OF_MERCHANT | typeof OWN
/** The path parameter that names the owner; undefined if the session names it. */
type Owner = Readonly<{ partnerId: string }> | Readonly<{ customerId: string }> | undefined

const createLogClient = (ask: Ask, operations: Operations, owner: Owner): Omit<LogClient, 'find'> => {
  const at = (webhookId: string) => ({ ...owner, webhookId })
  return {
    types: [...operations.types.filter((type) => type !== 'test'), 'test'],
    events: (query) =>
      mapped(
        ask(operations.listEvents, { params: owner, query }),
        ({ events: items, next_cursor: next }) => ({ items, next }),
      ),
    event: (eventId) =>
      mapped(ask(operations.getEvent, { params: { ...owner, eventId } }), ({ event }) => event),
    eventsOf: (id, query) =>
      mapped(
        ask(operations.listEventsOfWebhook, { params: at(id), query }),
        ({ events: items, next_cursor: next }) => ({ items, next }),
      ),
    deliveries: (id, query) =>
      mapped(
        ask(operations.listDeliveries, { params: at(id), query }),
        ({ deliveries: items, next_cursor: next }) => ({ items, next }),
      ),
    resend: (id, eventId) => mapped(ask(operations.resend, { params: { ...at(id), eventId } }), nothing),
    redeliveries: (id) =>
      mapped(ask(operations.listRedeliveries, { params: at(id) }), ({ redeliveries: items }) => items),
    redelivery: (id, redeliveryId) =>
      mapped(
        ask(operations.getRedelivery, { params: { ...at(id), redeliveryId } }),
        ({ redelivery }) => redelivery,
      ),
    redeliver: (id, body) => mapped(ask(operations.createRedelivery, { params: at(id), body }), nothing),
    cancelRedelivery: (id, redeliveryId) =>
      mapped(ask(operations.cancelRedelivery, { params: { ...at(id), redeliveryId } }), nothing),
  }
}

/** Creates the client for a partner's log, on the staff operations that the gateway opens to partners. */
export const partnerLogClient = (ask: Ask, partnerId: string): Omit<LogClient, 'find'> =>
  createLogClient(ask, OF_PARTNER, { partnerId })

/** Creates the client for a merchant's own log, on the operations of the merchant API. */
export const ownLogClient = (ask: Ask): Omit<LogClient, 'find'> => createLogClient(ask, OWN, undefined)

/** Creates the client for a merchant's log, for staff. No operation lists a merchant's webhooks to staff. */
export const merchantLogClient = (ask: Ask, customerId: string): LogClient => ({
  ...createLogClient(ask, OF_MERCHANT, { customerId }),
  find: async () => ({ ok: true, value: null }),
})
