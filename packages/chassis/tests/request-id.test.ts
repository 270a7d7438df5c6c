import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { operation, resource, type ServiceName } from '@causeway/contracts'
import { z } from 'zod'
import {
  call,
  createClock,
  createLogger,
  createServiceClient,
  implement,
  newId,
  reply,
  serve,
  startLoop,
  type Bus,
  type Implementation,
} from '../src/index.ts'
import { eventually, TEST_DEADLINE_MS, testBus, testReceiverKeys } from '../src/testing/index.ts'

const Body = z.strictObject({ id: z.string() })
const refunds = resource('refunds.things', {
  get: operation({ summary: 'Get', caller: 'partner', body: Body, reply: z.object({}) }),
})
const payments = resource('payments.things', {
  get: operation({
    summary: 'Get',
    caller: 'service',
    services: ['refunds'],
    body: Body,
    reply: z.object({}),
  }),
})

const clock = createClock()
const partner = { kind: 'partner', partnerId: newId('partner'), clientId: newId('client') } as const
let bus: Bus
const lines: Record<string, unknown>[] = []
const logOf = (service: string) => createLogger({ service, level: 'debug' })
const log = { refunds: logOf('refunds'), payments: logOf('payments') }

/** Replaces the stream that a logger writes to. */
const capture = (logger: ReturnType<typeof logOf>) => {
  const streamSymbol = Object.getOwnPropertySymbols(logger).find(
    ({ description }) => description === 'pino.stream',
  )
  if (!streamSymbol) throw new Error('pino has no stream')
  Object.assign(logger, {
    [streamSymbol]: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  })
}
const start = (
  service: ServiceName,
  operations: readonly Implementation[],
  logger: ReturnType<typeof logOf>,
) => serve(bus, operations, { service, keys: testReceiverKeys(), clock, log: logger, checkReplies: true })

const ask = (requestId: string, id = 'one') =>
  call(bus, clock, refunds.get, {
    caller: partner,
    requestId,
    timeoutMs: TEST_DEADLINE_MS,
    safe: true,
    body: { id },
  })

beforeAll(async () => {
  bus = await testBus()
  capture(log.refunds)
  capture(log.payments)
  const askPayments = createServiceClient({
    service: 'refunds',
    bus,
    clock,
    timeoutMs: TEST_DEADLINE_MS,
    timeoutFactor: 1,
  })
  start(
    'refunds',
    implement(refunds, {
      async get({ body }) {
        await new Promise((resolve) => setImmediate(resolve))
        await askPayments(payments.get, body)
        return reply({})
      },
    }),
    log.refunds,
  )
  start(
    'payments',
    implement(payments, {
      async get({ body, log: ofRequest }) {
        ofRequest.warn({ event: 'thing.got', id: body.id }, 'Got a thing')
        return reply({})
      },
    }),
    log.payments,
  )
  await bus.connection.flush()
})
afterEach(() => {
  lines.length = 0
})
afterAll(() => bus.close())

test('logs one request id in all services for a request that passes gateway, refunds and payments', async () => {
  const requestId = newId('request')
  expect((await ask(requestId)).ok).toBe(true)
  expect(lines.map(({ service, event, requestId: logged }) => [service, event, logged])).toEqual([
    ['payments', 'thing.got', requestId],
    ['payments', 'request.served', requestId],
    ['refunds', 'request.served', requestId],
  ])
})

test('keeps the ids of concurrent requests apart', async () => {
  const requestIds = Array.from({ length: 20 }, () => newId('request'))
  await Promise.all(requestIds.map((requestId) => ask(requestId, requestId)))
  const got = lines.filter(({ event }) => event === 'thing.got')
  expect(got.map(({ requestId }) => requestId)).toEqual(got.map(({ id }) => id))
  expect(got.map(({ id }) => id).sort()).toEqual(requestIds.sort())
})

test('gives each run of a job its own request id, which its log lines contain', async () => {
  const seen: unknown[] = []
  const job = startLoop({
    name: 'test',
    everyMs: 1,
    restMs: 0,
    log: log.refunds,
    run: async () => {
      log.refunds.warn({ event: 'job.ran' }, 'Ran')
    },
  })
  await eventually(() => lines.length >= 3)
  await job.stop()
  for (const { requestId } of lines) seen.push(requestId)
  expect(seen).toEqual(seen.map(() => expect.stringMatching(/^req_/)))
  expect(new Set(seen).size).toBe(seen.length)
})
