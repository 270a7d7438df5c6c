import { expect, test } from '@jest/globals'
import { eventually } from '../testing/eventually.ts'
import type { NatsConnection } from '@nats-io/transport-node'
import { createRequestClient, type Question } from './request-client.ts'

type Message = { subject: string; data: Uint8Array; headers?: { code: number } }
type OnMessage = (error: null, message: Message) => void

const INBOX = '_INBOX_test'
const request: Question = { subject: 'payments.orders.get', payload: '{}', timeoutMs: 60_000 }

/** A client whose connection is a recorder: the reply subjects that it sent, and how to answer them. */
const recorded = () => {
  const replies: string[] = []
  let deliver: OnMessage = () => undefined
  const subscribe = (_subject: string, options: { callback: OnMessage }) => {
    deliver = options.callback
  }
  const client = createRequestClient(
    { subscribe } as unknown as NatsConnection,
    {
      send: (_subject, _payload, options) => void replies.push(options?.reply ?? ''),
      flush: () => undefined,
    },
    INBOX,
  )
  const answer = (reply: string, text: string) =>
    deliver(null, { subject: reply, data: new TextEncoder().encode(text) })
  const answerNobody = (reply: string) =>
    deliver(null, { subject: reply, data: new Uint8Array(), headers: { code: 503 } })
  return { client, replies, answer, answerNobody }
}
const textOf = (answer: Uint8Array | string) =>
  typeof answer === 'string' ? answer : new TextDecoder().decode(answer)

test('reuses a reply subject only after its answer has arrived', async () => {
  const { client, replies, answer } = recorded()
  const first = client.ask(request)
  const second = client.ask(request)
  const [one = '', two = ''] = replies
  expect(one).not.toBe(two)
  answer(two, 'second')
  answer(one, 'first')
  expect([textOf(await first), textOf(await second)]).toEqual(['first', 'second'])
  const later = [client.ask(request), client.ask(request), client.ask(request)]
  expect(new Set(replies.slice(2)).size).toBe(3)
  expect(replies.slice(2, 4).sort()).toEqual([one, two].sort())
  for (const reply of replies.slice(2)) answer(reply, reply)
  expect((await Promise.all(later)).map(textOf)).toEqual(replies.slice(2))
  client.loseAll()
})

test('delivers an answer that arrives after its request has timed out to no other request', async () => {
  const { client, replies, answer } = recorded()
  expect(await client.ask({ ...request, timeoutMs: 0 })).toBe('lost')
  const next = client.ask(request)
  const [late = '', own = ''] = replies
  answer(late, 'late')
  answer(own, 'own')
  answer(late, 'later still')
  const last = client.ask(request)
  answer(late, 'latest')
  answer(replies[2] ?? '', 'last')
  expect([textOf(await next), textOf(await last)]).toEqual(['own', 'last'])
  client.loseAll()
})

test('does not take a second acknowledgement of an event for that of another event', async () => {
  const { client, replies, answer } = recorded()
  const event = { ...request, subject: 'events.payments.x', eventId: 'evt_1' }
  const first = client.ask(event)
  answer(replies[0] ?? '', '1')
  await first
  const second = client.ask({ ...event, eventId: 'evt_2' })
  answer(replies[0] ?? '', '1')
  answer(replies[1] ?? '', '2')
  expect(textOf(await second)).toBe('2')
  client.loseAll()
})

const retryPayload = () => '{"again":true}'

test('retries a read without an answer after a fifth of its timeout, until a responder listens', async () => {
  const { client, replies, answer, answerNobody } = recorded()
  const read = client.ask({ ...request, timeoutMs: 1_000, retryPayload })
  await eventually(() => replies.length === 2)
  // The server lets each reply subject be answered once, and takes a second request with it for its answer.
  expect(replies[1]).not.toBe(replies[0])
  answerNobody(replies[1] ?? '')
  await eventually(() => replies.length === 3)
  answer(replies[2] ?? '', 'second replica')
  expect(textOf(await read)).toBe('second replica')
  const next = client.ask(request)
  answer(replies[0] ?? '', 'first replica, late')
  answer(replies[3] ?? '', 'own')
  expect(textOf(await next)).toBe('own')
  client.loseAll()
})

test('returns "no responders" after the first attempt, and sends a request that is not a read only once', async () => {
  const { client, replies, answerNobody } = recorded()
  const read = client.ask({ ...request, retryPayload })
  answerNobody(replies[0] ?? '')
  expect(await read).toBe('nobody')
  expect(await client.ask({ ...request, timeoutMs: 200 })).toBe('lost')
  expect(replies).toHaveLength(2)
  const event = client.ask({ ...request, eventId: 'evt_1' })
  answerNobody(replies[2] ?? '')
  expect(await event).toBe('nobody')
  client.loseAll()
})

test('retries at most 64 plus a twentieth of the reads without an answer', async () => {
  const { client, replies } = recorded()
  const reads = Array.from({ length: 400 }, () => client.ask({ ...request, timeoutMs: 500, retryPayload }))
  expect(await Promise.all(reads)).toEqual(reads.map(() => 'lost'))
  expect(replies).toHaveLength(400 + 64)
  client.loseAll()
})

test('settles a request by a reply that was sent again only when its own service sent it', async () => {
  const { client, replies } = recorded()
  const asked = client.ask(request)
  const resent = (text: string) => new TextEncoder().encode(`${replies[0] ?? ''}\n${text}`)
  client.settleRefused('refunds', resent('forged'))
  client.settleRefused('payments', new TextEncoder().encode('_INBOX_another.1\nof another process'))
  client.settleRefused('payments', new Uint8Array())
  client.settleRefused('payments', resent('right\nin two lines'))
  expect(textOf(await asked)).toBe('right\nin two lines')
  client.loseAll()
})
