import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { operation, resource } from '@causeway/contracts'
import { z } from 'zod'
import { call, connectBus, createClock, implement, reply, serve, type Bus } from '../src/index.ts'
import { eventually, testBus, testNatsUrl, testReceiverKeys } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

const clock = createClock()
const things = resource('payments.moved', {
  slow: operation({ summary: 'Answers late', caller: 'public', reply: z.object({ done: z.literal(true) }) }),
})
const request = {
  caller: { kind: 'public' },
  requestId: 'req_moved',
  timeoutMs: 20_000,
  safe: false,
} as const

let asking: Bus
let serving: Bus
/** Requests that have arrived and are not answered yet. */
const waiting: (() => void)[] = []

beforeAll(async () => {
  asking = await testBus()
  serving = await connectBus({ url: testNatsUrl(), name: 'payments', log: silent })
  const slow = () =>
    new Promise<ReturnType<typeof reply<{ done: true }>>>((resolve) => {
      waiting.push(() => resolve(reply({ done: true as const })))
    })
  const options = {
    service: 'payments',
    keys: testReceiverKeys(),
    clock,
    log: silent,
    checkReplies: true,
  } as const
  serve(serving, implement(things, { slow }), options)
  await serving.connection.flush()
})
afterAll(async () => {
  await asking.close()
  await serving.close()
})

const ask = () => call(asking, clock, things.slow, request)
const arrived = (count: number) => eventually(() => waiting.length === count)

test('answers requests from the former connection, receives on the new one, and closes the former', async () => {
  const former = serving.connection
  const before = ask()
  await arrived(1)
  await serving.switchTo(testNatsUrl())
  expect(serving.connection).not.toBe(former)
  const after = ask()
  await arrived(2)
  expect(former.isClosed()).toBe(false)
  for (const answer of waiting) answer()
  expect(await Promise.all([before, after])).toMatchObject([{ ok: true }, { ok: true }])
  await eventually(() => former.isClosed())
})

test('receives the answer to a request that it sent before it moved', async () => {
  waiting.splice(0)
  const moving = await connectBus({ url: testNatsUrl(), name: 'gateway', log: silent })
  const asked = moving.ask({
    subject: things.slow.subject,
    payload: asking.seal(
      things.slow.subject,
      clock.outsideMs() + 20_000,
      JSON.stringify({ requestId: 'req_moved', caller: request.caller }),
    ),
    timeoutMs: 20_000,
  })
  await arrived(1)
  await moving.switchTo(testNatsUrl())
  for (const answer of waiting) answer()
  expect(Buffer.from((await asked) as Uint8Array).toString()).toContain('"done":true')
  await moving.close()
})

test('stays on its connection when NATS refuses the other user', async () => {
  const moving = await connectBus({ url: testNatsUrl(), name: 'gateway', log: silent, connectTimeoutMs: 500 })
  const former = moving.connection
  const url = new URL(testNatsUrl())
  url.password = 'wrong'
  await expect(moving.switchTo(url.href)).rejects.toThrow('NATS_URL: cannot connect to')
  expect(moving.connection).toBe(former)
  expect(moving.connected()).toBe(true)
  await moving.close()
})
