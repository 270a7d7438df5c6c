import { expect, test } from '@jest/globals'
import type { NatsConnection } from '@nats-io/transport-node'
import { createRequestClient, type Question } from './request-client.ts'

type OnMessage = (error: null, message: { subject: string; data: Uint8Array }) => void

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
  return { client, replies, answer }
}
const textOf = (answer: Uint8Array | string) =>
  typeof answer === 'string' ? answer : new TextDecoder().decode(answer)

test('a reply subject is used again once its answer has come, and by one request at a time', async () => {
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

test('an answer that comes after its request was given up reaches no other request', async () => {
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

test('a second acknowledgement of an event is not taken for that of another event', async () => {
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
