import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { eventSubject, parkedEventsOf, type DomainEvent } from '@causeway/contracts'
import { newId, NotDoneError, type Bus, type Implementation, type Received } from '../src/index.ts'
import { registerConsumer } from '../src/bus/consumers.ts'
import { execute } from '../src/bus/execute.ts'
import { parkedEventOperations } from '../src/parked-events.ts'
import { countParked, parkEvent } from '../src/parked-events-store.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

const CONSUMER = 'payments-projection'
const operations = parkedEventsOf('payments')

let fixture: Awaited<ReturnType<typeof openDatabase>>
let bus: Bus
let implementations: Implementation[]
/** Handles an event in the consumer. */
let handle: (event: DomainEvent) => Promise<void>

beforeEach(async () => {
  fixture = await openDatabase()
  const { db, clock } = fixture
  bus = {} as Bus
  implementations = parkedEventOperations({ service: 'payments', db, bus })
  registerConsumer<Received>(bus, {
    service: 'payments',
    durable: CONSUMER,
    batch: 1,
    db,
    clock,
    log: silent,
    handle: async ([received]) => {
      if (received) await handle(received.event)
    },
  })
})
afterEach(() => fixture.close())

const ask = async (
  member: keyof typeof operations,
  input: Readonly<{ params?: unknown; body?: unknown }>,
): Promise<unknown> => {
  const { subject } = operations[member]
  const found = implementations.find(({ operation }) => operation.subject === subject)
  if (found === undefined) throw new Error(`${subject} is not implemented`)
  const { clock } = fixture
  const caller = { kind: 'operator', actor: 'stk_test' } as const
  const message = { requestId: newId('request'), caller, deadlineMs: clock.outsideMs() + 5_000, ...input }
  return execute(found, message, { clock, log: silent, checkReplies: true })
}

const park = async (eventId: string, payload: string, at = fixture.clock.now()) => {
  const subject = eventSubject('relationship.changed')
  await parkEvent(fixture.db, { consumer: CONSUMER, eventId, subject, payload, error: 'first', now: at })
  return { consumer: CONSUMER, eventId }
}
const waiting = async () => (await countParked(fixture.db, { bound: 10 }))?.parked

const listed = (state: 'waiting' | 'set_aside', key = '', limit = 10) => {
  const after = { at: new Date(0).toISOString(), key }
  return ask('list', { body: { state, after, limit } })
}

test('removes a parked event from the queue once its consumer handles it, and logs its earlier error', async () => {
  const event = anEvent('relationship.changed')
  const params = await park(event.id, JSON.stringify(event))
  const handled: string[] = []
  handle = async ({ id }) => void handled.push(id)
  const parked = { event_id: event.id, error: 'first', retried_at: null }
  expect(await ask('retry', { params })).toMatchObject({
    ok: true,
    value: { result: 'handled', parked_event: parked },
    before: { parked_event: parked },
  })
  expect([handled, await waiting()]).toEqual([[event.id], 0])
  expect(await ask('retry', { params })).toMatchObject({ ok: false, code: 'resource_not_found' })
})

test('keeps a parked event that fails again, with the new reason', async () => {
  const event = anEvent('relationship.changed')
  const params = await park(event.id, JSON.stringify(event))
  handle = async () => {
    throw new Error('second')
  }
  expect(await ask('retry', { params })).toMatchObject({
    value: { result: 'failed', parked_event: { error: 'second', retried_at: expect.any(String) } },
    before: { parked_event: { error: 'first', retried_at: null } },
  })
  expect(await waiting()).toBe(1)
})

test('keeps the reason of a parked event when the database is unavailable', async () => {
  const event = anEvent('relationship.changed')
  const params = await park(event.id, JSON.stringify(event))
  handle = async () => {
    throw new NotDoneError('away')
  }
  expect(await ask('retry', { params })).toMatchObject({ code: 'temporarily_unavailable' })
  expect(await ask('get', { params })).toMatchObject({ value: { parked_event: { error: 'first' } } })
})

test('delivers no invalid event, and no event of a service that does not own its type', async () => {
  handle = async () => {
    throw new Error('must not be reached')
  }
  const garbage = await park('evt_garbage', 'not json')
  const foreign = await park('evt_foreign', JSON.stringify(anEvent('payment.pending')))
  const failed = (error: string) => ({ value: { result: 'failed', parked_event: { error } } })
  expect(await ask('retry', { params: garbage })).toMatchObject(failed('Not JSON'))
  expect(await ask('retry', { params: foreign })).toMatchObject(
    failed('Its publisher does not own this event'),
  )
})

test('stops counting an event that is set aside, keeps its note, and can still handle it', async () => {
  const event = anEvent('relationship.changed')
  const params = await park(event.id, JSON.stringify(event))
  const body = { note: 'Its merchant was erased.' }
  expect(await ask('setAside', { params, body })).toMatchObject({
    value: { parked_event: { note: body.note, set_aside_at: expect.any(String) } },
    before: { parked_event: { note: null, set_aside_at: null } },
  })
  expect(await waiting()).toBe(0)
  expect(await listed('waiting')).toMatchObject({ value: { parked_events: [] } })
  expect(await listed('set_aside')).toMatchObject({ value: { parked_events: [{ note: body.note }] } })
  handle = async () => undefined
  expect(await ask('retry', { params })).toMatchObject({ value: { result: 'handled' } })
})

test('continues the list after a position, oldest first', async () => {
  const at = new Date(0)
  await park('b', '{}', at)
  await park('a', '{}', at)
  await park('c', '{}', new Date(1))
  const ids = async (key: string) =>
    (
      (await listed('waiting', key)) as { value: { parked_events: { event_id: string }[] } }
    ).value.parked_events.map((row) => row.event_id)
  expect(await ids(`${CONSUMER}/`)).toEqual(['a', 'b', 'c'])
  expect(await ids(`${CONSUMER}/a`)).toEqual(['b', 'c'])
})
