import type { DomainEvent } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import type { JsMsg } from '@nats-io/jetstream'
import { createClock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../ids.ts'
import { createLogger } from '../log.ts'
import { NotDoneError } from '../outcome.ts'
import { handleBatch } from './handle-batch.ts'

const event: DomainEvent = {
  id: newId('event'),
  name: 'relationship.changed',
  created_at: '2026-11-23T00:00:00.000Z',
  partners: [],
  merchant: null,
  fact: null,
}

/** A message that has been delivered so often, and what was answered to it. */
const aMessage = (deliveryCount: number) => {
  const answers: string[] = []
  const message = {
    subject: 'events.onboarding.relationship.changed',
    seq: 1,
    headers: undefined,
    info: { deliveryCount },
    string: () => JSON.stringify(event),
    ack: () => answers.push('ack'),
    nak: (ms: number) => answers.push(`nak ${ms}`),
  } as unknown as JsMsg
  return { message, answers }
}

const parkedIn = (): Readonly<{ db: Db; parked: unknown[] }> => {
  const parked: unknown[] = []
  const db = { query: async (_statement: unknown, values: unknown) => (parked.push(values), []) }
  return { db: db as unknown as Db, parked }
}

test.each([
  ['a bug', new Error('no such thing'), ['ack'], 1],
  ['a statement that was undone', new NotDoneError('The database cannot be reached'), ['nak 1000'], 0],
  ['a connection that was cut', new Error('Connection terminated unexpectedly'), ['nak 1000'], 0],
  ['a database that restarts', Object.assign(new Error('starting up'), { code: '57P03' }), ['nak 1000'], 0],
])('handles the tenth failure of an event by its cause: %s', async (_name, error, answers, parks) => {
  const { message, answers: given } = aMessage(10)
  const { db, parked } = parkedIn()
  await handleBatch([message], {
    service: 'payments',
    durable: 'payments-projection',
    batch: 1,
    db,
    clock: createClock(),
    log: createLogger({ service: 'test', level: 'silent' }),
    handle: () => Promise.reject(error),
  })
  expect([given, parked.length]).toEqual([answers, parks])
})
