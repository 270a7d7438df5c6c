import { expect, test } from '@jest/globals'
import { EVENTS, type EventDeclaration } from './declarations.ts'
import { isFromEmitter } from './event-owners.ts'
import type { DomainEvent } from './event.ts'
import { MERCHANT_EVENTS, type EventName } from './event-names.ts'
import type { EventOf } from './event-of.ts'
import { Fact } from './facts.ts'
import { PARTNER_EVENTS } from './partner-events.ts'

const ALL = Object.values<EventDeclaration>(EVENTS)

test('emits every shape of partner data by at least one event', () => {
  const used = Object.values(PARTNER_EVENTS).map(({ shape }) => shape.event_type.options)
  expect(used.filter((types) => types.length === 0)).toEqual([])
})

test('emits every merchant event except the test call by one domain event', () => {
  const events = ALL.flatMap(({ merchant }) => merchant ?? [])
  expect([...events, 'test'].sort()).toEqual([...MERCHANT_EVENTS].sort())
})

test('sends every kind of fact with one event', () => {
  const facts = ALL.flatMap(({ fact }) => fact ?? [])
  expect(facts.sort()).toEqual(Fact.options.map(({ shape }) => shape.kind.value).sort())
})

test('accepts an event that moved to another service from both services for one release, and from no third one', () => {
  const event: DomainEvent = {
    ...common,
    name: 'payout.sent',
    merchant: { ...order, event: 'payout_sent', body: { event: 'payout_sent', order: {} } },
  }
  const isTaken = (service: string) => isFromEmitter(`events.${service}.payout.sent`, event)
  expect(['ledger', 'payments', 'onboarding'].map(isTaken)).toEqual([true, true, false])
  expect(isFromEmitter('events.payments.risk.alert', event)).toBe(false)
  const paid = { ...event, name: 'payment.confirmed' as const }
  expect(isFromEmitter('events.ledger.payment.confirmed', { ...paid, merchant: null })).toBe(false)
})

const common = { id: 'evt_1', created_at: '2026-11-22T00:00:00.000Z', partners: [], fact: null }
const order = { merchant_id: 'cus_1', integration_id: null }

test('refuses to compile an event with the data of another one', () => {
  const sent = {
    id: 'pay_1',
    amountCents: 1,
    currency: 'EUR',
    status: 'sent' as const,
    scheduledFor: common.created_at,
    createdAt: common.created_at,
    sentAt: null,
  }
  const event = 'payout_sent' as const
  const emitted: EventOf<'payout.sent'> = {
    ...common,
    name: 'payout.sent',
    merchant: { ...order, event, body: { event, order: sent } },
  }
  // @ts-expect-error the body of another event
  const ofRisk: EventOf<'risk.alert'> = { ...emitted, name: 'risk.alert' }
  // @ts-expect-error a body that lacks a field
  const body: NonNullable<EventOf<'payout.sent'>['merchant']>['body'] = { event, order: { id: 'pay_1' } }
  // @ts-expect-error an event that goes to no merchant
  const fact: EventOf<'integration.changed'> = { ...emitted, name: 'integration.changed' }
  const data = { rail: 'fiat' } as const
  // @ts-expect-error data of another event
  const partners: EventOf<'customer.updated'>['partners'] = [{ type: 'customer.updated', data }]
  const named: EventName[] = [emitted.name, ofRisk.name, fact.name]
  expect({ named, body, partners }).toBeDefined()
})
