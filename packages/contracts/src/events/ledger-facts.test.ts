import { expect, test } from '@jest/globals'
import { foreignPartOf } from './event-owners.ts'
import { DomainEvent } from './event.ts'
import { FACT_SOURCES } from '../ledger/fact-records.ts'
import { CONSUMERS, RESOURCES } from '../topology.ts'

const event = (ledgerFacts: readonly object[]) => ({
  id: 'evt_01arz3ndektsv4rrffq69g5fav',
  name: 'deposit.moved' as const,
  created_at: '2026-11-22T00:00:00.000Z',
  partners: [],
  merchant: null,
  fact: null,
  ledger_facts: ledgerFacts.map((fact) => ({ ...fact })),
})

test('lets a service of the previous version read an event without its facts for the ledger', () => {
  const Before = DomainEvent.omit({ ledger_facts: true })
  const { ledger_facts: _unknown, ...rest } = event([{ kind: 'crypto_refunded' }])
  expect(Before.parse(event([{ kind: 'crypto_refunded' }]))).toEqual(rest)
})

test('keeps an event with an invalid fact readable for other services', () => {
  expect(DomainEvent.safeParse(event([{ kind: 'no such kind', amount: -1 }])).success).toBe(true)
})

test('treats an event as foreign for a fact that another service owns, not for a fact of an unknown kind', () => {
  expect(foreignPartOf('payments', event([{ kind: 'crypto_refunded' }, { kind: 'transfer_moved' }]))).toBe(
    'transfer_moved',
  )
  expect(foreignPartOf('payments', event([{ kind: 'of_a_later_version' }]))).toBeNull()
})

test('declares the ledger’s comparison in every service that keeps facts, including all whose events carry facts', () => {
  const senders = new Set(CONSUMERS.ledger['ledger-facts']?.map((subject) => subject.split('.')[1]))
  expect([...senders]).toEqual(['payments'])
  expect(FACT_SOURCES).toContain('payments')
  for (const service of FACT_SOURCES) {
    const subjects = RESOURCES[service].flatMap((each) => Object.values(each).map(({ subject }) => subject))
    expect(subjects).toContain(`${service}.ledger-facts.digest`)
  }
})
