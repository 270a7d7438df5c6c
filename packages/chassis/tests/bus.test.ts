import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { operation, resource } from '@causeway/contracts'
import { z } from 'zod'
import {
  call,
  createClock,
  implement,
  NotDoneError,
  refuse,
  registry,
  relay,
  reply,
  serve,
  type Bus,
} from '../src/index.ts'
import { eventually, TEST_DEADLINE_MS, testBus, testReceiverKeys } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

const params = z.object({ id: z.string().regex(/^thg_/) })
const things = resource('payments.things', {
  read: operation({
    summary: 'Read',
    caller: 'service',
    services: ['refunds'],
    params,
    body: z.strictObject({ size: z.number().int().max(5), colour: z.enum(['red', 'blue']).optional() }),
    reply: z.object({ id: z.string(), size: z.number() }),
    refusals: ['invalid_state'],
  }),
  slow: operation({ summary: 'Slow', caller: 'service', services: ['refunds'], reply: z.object({}) }),
  broken: operation({ summary: 'Broken', caller: 'service', services: ['refunds'], reply: z.object({}) }),
  away: operation({ summary: 'Away', caller: 'service', services: ['refunds'], reply: z.object({}) }),
  undone: operation({ summary: 'Undone', caller: 'service', services: ['refunds'], reply: z.object({}) }),
  absent: operation({
    summary: 'Nobody listens',
    caller: 'service',
    services: ['refunds'],
    reply: z.object({}),
  }),
})

const clock = createClock()
const caller = { kind: 'service', service: 'refunds' } as const
const base = { caller, requestId: 'req_test', timeoutMs: TEST_DEADLINE_MS, safe: false }
let bus: Bus
const executed: string[] = []

beforeAll(async () => {
  bus = await testBus()
  const handlers = implement(things, {
    async read({ params: { id }, body }) {
      executed.push(id)
      return id === 'thg_refused'
        ? refuse('invalid_state', [{ from: 'a', to: 'b' }])
        : reply({ id, size: body.size }, 'existing')
    },
    slow: () => new Promise(() => {}),
    broken: async () => {
      throw new Error('secret detail')
    },
    away: async () => {
      throw new Error('Connection terminated unexpectedly')
    },
    undone: async () => {
      throw new NotDoneError('pool exhausted')
    },
    absent: async () => reply({}),
  })
  const listening = handlers.filter(
    (implementation) => implementation.operation.subject !== things.absent.subject,
  )
  serve(bus, listening, {
    service: 'payments',
    keys: testReceiverKeys(),
    clock,
    log: silent,
    checkReplies: true,
  })
  await bus.connection.flush()
})
afterAll(() => bus.close())

const read = (id: string, body: unknown) =>
  call(bus, clock, things.read, { ...base, params: { id }, body: body as never })

test('returns the value, its variant, or the refusal with its details', async () => {
  expect(await read('thg_1', { size: 3 })).toEqual({
    ok: true,
    value: { id: 'thg_1', size: 3 },
    variant: 'existing',
  })
  expect(await read('thg_refused', { size: 3 })).toEqual({
    ok: false,
    code: 'invalid_state',
    details: [{ from: 'a', to: 'b' }],
  })
})

test('names the invalid fields of a body before it reports a malformed id as unknown', async () => {
  expect(await read('nonsense', { size: 9, colour: 'green', extra: 1 })).toEqual({
    ok: false,
    code: 'invalid_request',
    details: [
      { field: 'size', reason: 'too_big', expected: 'at most 5' },
      { field: 'colour', reason: 'invalid_value', allowed: ['red', 'blue'] },
      { field: 'extra', reason: 'unknown_field' },
    ],
  })
  expect(await read('nonsense', {})).toEqual({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'size', reason: 'required' }],
  })
  expect(await read('nonsense', { size: 1 })).toEqual({ ok: false, code: 'resource_not_found' })
})

test('reveals nothing of an unexpected error, and allows a retry when nothing was done', async () => {
  expect(await call(bus, clock, things.broken, base)).toEqual({ ok: false, code: 'internal_error' })
  expect(await call(bus, clock, things.undone, base)).toEqual({ ok: false, code: 'temporarily_unavailable' })
})

test('returns 500 for an effect and 503 for a read when the database fails during a statement', async () => {
  expect(await call(bus, clock, things.away, base)).toEqual({ ok: false, code: 'internal_error' })
  expect(await call(bus, clock, things.away, { ...base, safe: true })).toEqual({
    ok: false,
    code: 'temporarily_unavailable',
  })
  expect(await call(bus, clock, things.broken, { ...base, safe: true })).toEqual({
    ok: false,
    code: 'internal_error',
  })
})

test('returns 503 if nobody listens; without an answer in time, 500 for an effect and 503 for a read', async () => {
  const quick = { ...base, timeoutMs: 100 }
  expect(await call(bus, clock, things.absent, base)).toEqual({ ok: false, code: 'temporarily_unavailable' })
  expect(await call(bus, clock, things.slow, quick)).toEqual({ ok: false, code: 'internal_error' })
  expect(await call(bus, clock, things.slow, { ...quick, safe: true })).toEqual({
    ok: false,
    code: 'temporarily_unavailable',
  })
})

test('drops a request past its deadline without executing it', async () => {
  executed.length = 0
  const late = JSON.stringify({
    requestId: 'req_late',
    caller,
    params: { id: 'thg_late' },
    body: { size: 1 },
  })
  const payload = bus.seal(things.read.subject, clock.outsideMs() - 1, late)
  const question = { subject: things.read.subject, payload, timeoutMs: 200 }
  expect(await bus.ask(question)).toBe('lost')
  expect(executed).toEqual([])
})

test('ends every pending request with an unknown outcome when the bus is closed', async () => {
  const asking = await testBus()
  const waiting = call(asking, clock, things.slow, { ...base, timeoutMs: 60_000 })
  await asking.close()
  expect(await waiting).toEqual({ ok: false, code: 'internal_error' })
})

test('gives each of many concurrent requests its own answer', async () => {
  const ids = Array.from({ length: 300 }, (_, n) => `thg_${n}`)
  const answers = await Promise.all(ids.map((id) => read(id, { size: 1 })))
  expect(answers).toEqual(ids.map((id) => ({ ok: true, value: { id, size: 1 }, variant: 'existing' })))
})

test('sends a nudge to other processes and not to its sender', async () => {
  const other = await testBus()
  const heard: string[] = []
  const ofOther = other.onNudge('nudge.payments.outbox', () => void heard.push('other'))
  const ofSelf = bus.onNudge('nudge.payments.outbox', () => void heard.push('self'))
  await Promise.all([bus.connection.flush(), other.connection.flush()])
  bus.nudge('nudge.payments.outbox')
  await eventually(() => heard.includes('other'))
  // The server keeps the order: an echo of the first would come before this one.
  other.nudge('nudge.payments.outbox')
  await eventually(() => heard.length === 2)
  expect(heard).toEqual(['other', 'self'])
  ofOther.unsubscribe()
  ofSelf.unsubscribe()
  await other.close()
})

test('retries a read at the next replica when its replica dies, and does not retry an effect', async () => {
  const served: string[] = []
  const startReplica = async (name: string, isAnswering: boolean) => {
    const own = await testBus()
    const handlers = implement(
      { absent: things.absent } as typeof things,
      {
        absent: ({ requestId }: { requestId: string }) => {
          served.push(`${name} ${requestId}`)
          return isAnswering ? Promise.resolve(reply({})) : new Promise<never>(() => {})
        },
      } as never,
    )
    serve(own, handlers, {
      service: 'payments',
      keys: testReceiverKeys(),
      clock,
      log: silent,
      checkReplies: true,
    })
    await own.connection.flush()
    return own
  }
  const ask = (requestId: string, isRetriedWhenSlow: boolean) =>
    relay(bus, clock, things.absent.subject, {
      requestId,
      callerJson: JSON.stringify(caller),
      timeoutMs: 10_000,
      safe: isRetriedWhenSlow,
      isRetriedWhenSlow,
    })
  const first = await startReplica('first', false)
  const answers = Promise.all([ask('read', true), ask('effect', false)])
  await eventually(() => served.length === 2)
  await first.connection.close()
  const second = await startReplica('second', true)
  expect(await answers).toMatchObject([{ ok: true }, { ok: false, code: 'internal_error' }])
  expect(served.sort()).toEqual(['first effect', 'first read', 'second read'])
  await second.close()
})

test('measures each operation by its outcome', async () => {
  const read = (id: string) => call(bus, clock, things.read, { ...base, params: { id }, body: { size: 3 } })
  const countOf = async (name: string, expected: object) => {
    const labels = { operation: things.read.subject, ...expected }
    const text = await registry.getSingleMetricAsString(name)
    const line = text
      .split('\n')
      .find((each) => Object.entries(labels).every(([label, value]) => each.includes(`${label}="${value}"`)))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const counts = async () => [
    await countOf('causeway_bus_operations_total', { outcome: 'ok' }),
    await countOf('causeway_bus_operations_total', { outcome: 'invalid_state' }),
    await countOf('causeway_bus_operation_duration_seconds', { le: '+Inf' }),
  ]
  const [ok = 0, refused = 0, measured = 0] = await counts()
  await read('thg_measured')
  await read('thg_refused')
  expect(await counts()).toEqual([ok + 1, refused + 1, measured + 2])
})
