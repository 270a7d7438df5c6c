import { call, createLogger, implement, newId, newIdAt, refuse, reply, serve } from '@causeway/chassis'
import {
  integrations,
  integrationUrls,
  deliveries,
  events,
  redeliveries,
  registrations,
  type DomainEvent,
  type IntegrationState,
  type Delivery,
  type MerchantEvent,
} from '@causeway/contracts'
import { eventually, TEST_DEADLINE_MS, testReceiverKeys } from '@causeway/chassis/testing'
import type { z } from 'zod'
import { startHarness, type Harness } from './harness.ts'

/** An integration as payments describes it. */
export const integrationOf = (merchantId: string, deleted = false): IntegrationState => ({
  integration_id: newId('integration'),
  partner_id: newId('partner'),
  partner_customer_id: newId('relationship'),
  customer_id: merchantId,
  deleted,
})

let sequence = 0

/** An event for a merchant, as its owner would emit it. */
export const merchantEvent = (
  merchantId: string,
  integrationId: string | null,
  event: MerchantEvent = 'paid',
  at = new Date(),
): DomainEvent => ({
  id: newIdAt('event', at.getTime()),
  sequence: (sequence += 1),
  name: event === 'ramping.status_changed' || event === 'ramping.kyc_pending' ? event : 'payment.confirmed',
  created_at: at.toISOString(),
  partners: [],
  merchant: {
    merchant_id: merchantId,
    integration_id: integrationId,
    event,
    body: { event, order: { id: newId('fiatOrder'), integrationId } },
  },
  fact: null,
})

/** A fact about an integration, as payments would emit it. */
export const integrationFact = (integration: IntegrationState): DomainEvent => ({
  id: newId('event'),
  name: 'integration.changed',
  created_at: new Date().toISOString(),
  partners: [],
  merchant: null,
  fact: { kind: 'integration', integration },
})

/** A fake of payments: it knows the integrations that a test puts into the map. */
const servePayments = (harness: Harness, known: Map<string, IntegrationState>) => {
  const nothing = async () => refuse('resource_not_found')
  const owned = implement(integrations, {
    create: async () => refuse('limit_reached'),
    list: async () => reply({ integrations: [], next_cursor: null }),
    delete: async () => refuse('invalid_state'),
    updateProcessor: async () => refuse('invalid_request'),
    async resolve({ body }) {
      const state = known.get(body.integration_id)
      return state ? reply(state) : nothing()
    },
  }).filter(({ operation }) => operation.subject === integrations.resolve.subject)
  const log = createLogger({ service: 'test', level: 'silent' })
  serve(harness.bus, owned, {
    clock: harness.clock,
    log,
    checkReplies: true,
    keys: testReceiverKeys(),
    service: 'payments',
  })
}

/** The service with a fake of payments, and the operations of the merchant API as functions. */
export const startMerchantFixture = async () => {
  const harness = await startHarness()
  const known = new Map<string, IntegrationState>()
  servePayments(harness, known)
  await harness.bus.connection.flush()

  const ask = () => ({ requestId: newId('request'), timeoutMs: TEST_DEADLINE_MS, safe: false })
  const asMerchant = (merchantId: string) => {
    const caller = { kind: 'merchant', merchantId } as const
    const params = (webhookId: string) => ({ webhookId })
    const on = [harness.bus, harness.clock] as const
    return {
      merchantId,
      list: (query: Record<string, string> = {}) =>
        call(...on, registrations.list, { ...ask(), caller, query }),
      create: (body: { url: string; integrationId?: string | null }) =>
        call(...on, registrations.create, { ...ask(), caller, body }),
      update: (
        webhookId: string,
        body: {
          url?: string
          integrationId?: string | null
          formerSecretUntil?: null
          status?: 'active' | 'disabled'
        },
      ) => call(...on, registrations.update, { ...ask(), caller, params: params(webhookId), body }),
      remove: (webhookId: string) =>
        call(...on, registrations.delete, { ...ask(), caller, params: params(webhookId) }),
      rotate: (webhookId: string, body?: { overlapHours: number }) =>
        call(...on, registrations.rotateSecret, { ...ask(), caller, params: params(webhookId), body }),
      test: (webhookId: string) =>
        call(...on, registrations.test, { ...ask(), caller, params: params(webhookId) }),
      deliveries: (webhookId: string, query: Record<string, string> = {}) =>
        call(...on, deliveries.listOwn, { ...ask(), caller, params: params(webhookId), query }),
      redeliver: (webhookId: string, deliveryId: string) =>
        call(...on, deliveries.redeliverOwn, {
          ...ask(),
          caller,
          params: { webhookId, deliveryId },
        }),
      events: (query: Record<string, string> = {}) =>
        call(...on, events.listOwn, { ...ask(), caller, query }),
      event: (eventId: string) => call(...on, events.getOwn, { ...ask(), caller, params: { eventId } }),
      eventsOf: (webhookId: string, query: Record<string, string> = {}) =>
        call(...on, events.listOfOwnDestination, { ...ask(), caller, params: params(webhookId), query }),
      resend: (webhookId: string, eventId: string) =>
        call(...on, events.resendOwn, { ...ask(), caller, params: { webhookId, eventId } }),
      startRedelivery: (webhookId: string, body: z.input<typeof redeliveries.createOwn.body>) =>
        call(...on, redeliveries.createOwn, { ...ask(), caller, params: params(webhookId), body }),
      redeliveries: (webhookId: string) =>
        call(...on, redeliveries.listOwn, { ...ask(), caller, params: params(webhookId) }),
      redelivery: (webhookId: string, redeliveryId: string) =>
        call(...on, redeliveries.getOwn, { ...ask(), caller, params: { webhookId, redeliveryId } }),
      cancelRedelivery: (webhookId: string, redeliveryId: string) =>
        call(...on, redeliveries.cancelOwn, {
          ...ask(),
          caller,
          params: { webhookId, redeliveryId },
        }),
      async registered(body: { url: string; integrationId?: string | null }) {
        const made = await this.create(body)
        if (!made.ok) throw new Error(JSON.stringify(made))
        return made.value
      },
      deliveryWhen(webhookId: string, fits: (delivery: Delivery) => boolean) {
        return eventually(async () => {
          const listed = await this.deliveries(webhookId)
          const newest = listed.ok ? listed.value.deliveries[0] : undefined
          return newest && fits(newest) ? newest : undefined
        })
      },
    }
  }
  return {
    harness,
    known,
    newMerchant: () => asMerchant(newId('merchant')),
    ownUrl: (integrationId: string, url: string | null) =>
      call(harness.bus, harness.clock, integrationUrls.update, {
        ...ask(),
        caller: { kind: 'operator', actor: 'test' },
        params: { integrationId },
        body: { url },
      }),
    stop: () => harness.stop(),
  }
}
export type MerchantFixture = Awaited<ReturnType<typeof startMerchantFixture>>
