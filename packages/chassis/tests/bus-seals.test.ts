import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { operation, resource, type SenderName } from '@causeway/contracts'
import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { createSealer } from '../src/bus/seal.ts'
import { createBusKeys, createClock, implement, reply, serve, type Bus } from '../src/index.ts'
import { eventually, testBus, testBusKeys } from '../src/testing/index.ts'
import { createLogger, registry } from '../src/index.ts'

const things = resource('payments.sealed', {
  ask: operation({ summary: 'For the gateway', caller: 'operator', reply: z.object({}) }),
  tell: operation({ summary: 'For refunds', caller: 'service', services: ['refunds'], reply: z.object({}) }),
  own: operation({ summary: 'For itself', caller: 'service', services: ['gateway'], reply: z.object({}) }),
})
const ASK = things.ask.subject
const TELL = things.tell.subject
const OWN = things.own.subject
const operator = { kind: 'operator', actor: 'test' }
const asService = (service: string) => ({ kind: 'service', service })

const GENUINE_CALLERS: Readonly<Record<string, unknown>> = {
  [ASK]: operator,
  [TELL]: asService('refunds'),
  [OWN]: asService('gateway'),
}

const clock = createClock()
const log = createLogger({ service: 'test', level: 'silent' })
const executed: string[] = []
const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => void unhandled.push(error)
let bus: Bus

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  bus = await testBus()
  const run = async ({ requestId }: { requestId: string }) => {
    executed.push(requestId)
    return reply({})
  }
  serve(bus, implement(things, { ask: run, tell: run, own: run }), {
    service: 'payments',
    keys: createBusKeys('payments', testBusKeys('payments')),
    clock,
    log,
    checkReplies: true,
  })
  await bus.connection.flush()
})
beforeEach(() => {
  executed.length = 0
})
afterAll(async () => {
  await bus.close()
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

const sealerOf = (self: SenderName) => createSealer(createBusKeys(self, testBusKeys(self)))
const request = (caller: unknown, requestId = 'req_attack') => JSON.stringify({ requestId, caller })
const soon = () => clock.outsideMs() + 5_000
const inboxOf = (sender: string) => `_INBOX_${sender}.attack`

const droppedFor = async (reason: string): Promise<number> => {
  const counter = await registry.getSingleMetric('causeway_bus_requests_dropped_total')?.get()
  return counter?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0
}
/** Sends bytes to a subject and tells what answered them before a genuine request that came behind them was. */
const attack = async (
  subject: string,
  payload: string | Uint8Array,
  replyTo: string | null = null,
): Promise<string[]> => {
  const answers: string[] = []
  const heard = bus.connection.subscribe(replyTo ?? 'nothing', {
    callback: (_error, message) => void answers.push(message.string()),
  })
  bus.connection.publish(subject, payload, replyTo === null ? {} : { reply: replyTo })
  const json = request(GENUINE_CALLERS[subject], 'req_genuine')
  const genuine = { subject, payload: bus.seal(subject, soon(), json), timeoutMs: 10_000 }
  expect(await bus.ask(genuine)).toEqual(new TextEncoder().encode('+\n{}'))
  await bus.connection.flush()
  heard.unsubscribe()
  return answers
}

const gateway = sealerOf('gateway')
const refunds = sealerOf('refunds')
const webhooks = sealerOf('webhooks')
const sealed = (seal = gateway, caller: unknown = operator, subject = ASK) =>
  seal(subject, soon(), request(caller))
const altered = (payload: string) => payload.replace('req_attack', 'req_attacc')
const stolen = () => {
  const key = createSecretKey(createHash('sha256').update('gateway>onboarding in tests').digest())
  return createSealer({ self: 'gateway', sealing: new Map([['payments', key]]) })
}

const ATTACKS: [
  reason: string,
  title: string,
  subject: string,
  make: () => string,
  replyTo: string | null,
][] = [
  ['no_reply', 'a request that names no reply subject', ASK, () => sealed(), null],
  [
    'reply_subject',
    'bytes that are to be answered to JetStream',
    ASK,
    () => '{}',
    '$JS.API.CONSUMER.INFO.EVENTS.webhooks-fanout',
  ],
  [
    'reply_subject',
    'a sealed request answered to JetStream',
    ASK,
    () => sealed(),
    '$JS.API.STREAM.PURGE.EVENTS',
  ],
  ['reply_subject', "one answered in another's inbox", ASK, () => sealed(), inboxOf('refunds')],
  ['reply_subject', 'one answered to an operation', ASK, () => sealed(), TELL],
  ['seal', 'a request without a seal', ASK, () => request(operator), inboxOf('gateway')],
  ['seal', 'one that was altered', ASK, () => altered(sealed()), inboxOf('gateway')],
  [
    'seal',
    'one sealed for another operation',
    ASK,
    () => sealed(gateway, operator, TELL),
    inboxOf('gateway'),
  ],
  ['seal', 'one sealed by the key of another pair', ASK, () => sealed(stolen()), inboxOf('gateway')],
  [
    'seal',
    "another sender's name on a seal",
    ASK,
    () => sealed(refunds).replace(/^refunds/, 'gateway'),
    inboxOf('gateway'),
  ],
  [
    'not_allowed',
    "a service's request of an operation of staff",
    ASK,
    () => sealed(refunds),
    inboxOf('refunds'),
  ],
  [
    'not_allowed',
    'a service that the contract does not name',
    TELL,
    () => sealed(webhooks, asService('refunds'), TELL),
    inboxOf('webhooks'),
  ],
  [
    'not_allowed',
    'the gateway where a service is named',
    TELL,
    () => sealed(gateway, asService('refunds'), TELL),
    inboxOf('gateway'),
  ],
  [
    'not_allowed',
    'a service where the gateway is named',
    OWN,
    () => sealed(refunds, asService('gateway'), OWN),
    inboxOf('refunds'),
  ],
  [
    'caller',
    'the gateway that speaks as a service',
    ASK,
    () => sealed(gateway, asService('gateway2')),
    inboxOf('gateway'),
  ],
  [
    'caller',
    'a service that speaks as staff',
    TELL,
    () => sealed(refunds, operator, TELL),
    inboxOf('refunds'),
  ],
  [
    'caller',
    'a service that speaks as another',
    TELL,
    () => sealed(refunds, asService('onramp'), TELL),
    inboxOf('refunds'),
  ],
  [
    'deadline',
    'one that is late',
    ASK,
    () => gateway(ASK, clock.outsideMs() - 1, request(operator)),
    inboxOf('gateway'),
  ],
  [
    'deadline_too_far',
    'one that would be valid for an hour',
    ASK,
    () => gateway(ASK, clock.outsideMs() + 3_600_000, request(operator)),
    inboxOf('gateway'),
  ],
  [
    'malformed',
    'sealed bytes that are no request',
    ASK,
    () => gateway(ASK, soon(), '{"a":'),
    inboxOf('gateway'),
  ],
]

test.each(ATTACKS)('drops a request (%s): %s', async (reason, _title, subject, make, replyTo) => {
  const before = await droppedFor(reason)
  expect(await attack(subject, make(), replyTo)).toEqual([])
  expect(executed).toEqual(['req_genuine'])
  expect(await droppedFor(reason)).toBe(before + 1)
})

test('refuses an operation for the gateway itself when the gateway calls on behalf of somebody else', async () => {
  const answers = await attack(OWN, sealed(gateway, operator, OWN), inboxOf('gateway'))
  expect([answers, executed]).toEqual([['-{"code":"resource_not_found"}'], ['req_genuine']])
})

test('executes a request once and drops its repetition', async () => {
  const payload = sealed()
  expect(await attack(ASK, payload, inboxOf('gateway'))).toEqual(['+\n{}'])
  const before = await droppedFor('replayed')
  expect(await attack(ASK, payload, inboxOf('gateway'))).toEqual([])
  expect(executed.filter((id) => id === 'req_attack')).toHaveLength(1)
  expect(await droppedFor('replayed')).toBe(before + 1)
})

test('accepts both keys of a pair during a rotation, and not a removed key', async () => {
  const replaced = { sender: 'gateway', receiver: 'payments', key: randomBytes(32) }
  const others = testBusKeys('payments')
  const keys = createBusKeys('payments', [replaced, ...others])
  const sealing = new Map([['payments', createSecretKey(replaced.key)]])
  const rotated = createSealer({ self: 'gateway', sealing })
  expect(keys.checking.get('gateway')).toHaveLength(2)
  expect(await attack(ASK, sealed(rotated), inboxOf('gateway'))).toEqual([])
})

test('keeps serving after requests of arbitrary bytes', async () => {
  const junk = [
    new Uint8Array(0),
    randomBytes(64),
    randomBytes(900_000),
    Buffer.alloc(900_000, '['),
    Buffer.from('\n'),
    Buffer.from(`gateway ${soon()} a ${'A'.repeat(43)}\n`),
    Buffer.from(`gateway ${'9'.repeat(15)} a ${'-'.repeat(43)}\n{}`),
    Buffer.from(gateway(ASK, soon(), '['.repeat(200_000))),
    Buffer.from(
      gateway(ASK, soon(), `{"requestId":${'['.repeat(100_000)}${']'.repeat(100_000)},"caller":1}`),
    ),
    Buffer.from(gateway(ASK, soon(), 'null')),
    Buffer.from(gateway(ASK, soon(), '{"requestId":"r","caller":{"kind":"operator"}}')),
    Buffer.from([...Buffer.from(sealed()), 0xff, 0xfe, 0]),
  ]
  for (const payload of junk)
    for (const replyTo of [null, inboxOf('gateway')])
      bus.connection.publish(ASK, payload, replyTo === null ? {} : { reply: replyTo })
  await eventually(async () => (await attack(ASK, 'last')).length === 0)
  expect(executed).toEqual(['req_genuine'])
})
