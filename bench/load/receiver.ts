/** The webhook receiver: counts deliveries on raw sockets and answers each immediately: 200, or at `/flaky` 503 first. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sharedNowMs } from '../measure/clock.ts'
import { childArgument, serveParent } from '../parts/child-main.ts'
import { createMessageParser } from './message-parser.ts'
import type { Arrivals, Expect } from './receiver-process.ts'

const UNAVAILABLE = Buffer.from('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n')
/** Where the first delivery of each event is refused. */
const FLAKY = Buffer.from('POST /flaky')
const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
const EVENT_ID = Buffer.from('"event_id":"')
const EVENT_ID_LENGTH = 30
const CREATED_AT = Buffer.from('"created_at":"')
const CREATED_AT_LENGTH = 24

const state = {
  events: new Set<string>(),
  refused: new Set<string>(),
  deliveries: 0,
  firstAtMs: 0,
  lastAtMs: 0,
  /** Age of each event at its first arrival; null unless requested. */
  agesMs: null as number[] | null,
  expected: Infinity,
  met: () => {},
}

const ageMsOf = (message: Buffer, bodyAt: number): number => {
  const at = message.indexOf(CREATED_AT, bodyAt) + CREATED_AT.length
  return Date.now() - Date.parse(message.toString('latin1', at, at + CREATED_AT_LENGTH))
}

const isFlaky = (message: Buffer): boolean => message.subarray(0, FLAKY.length).equals(FLAKY)

/** Counts each event once: a delivery may be repeated. @returns the answer */
const arrive = (message: Buffer, bodyAt: number): Buffer => {
  const at = message.indexOf(EVENT_ID, bodyAt) + EVENT_ID.length
  const eventId = message.toString('latin1', at, at + EVENT_ID_LENGTH)
  if (isFlaky(message) && !state.refused.has(eventId)) {
    state.refused.add(eventId)
    return UNAVAILABLE
  }
  if (state.agesMs !== null && !state.events.has(eventId)) state.agesMs.push(ageMsOf(message, bodyAt))
  state.events.add(eventId)
  state.deliveries += 1
  state.lastAtMs = sharedNowMs()
  if (state.deliveries === 1) state.firstAtMs = state.lastAtMs
  if (state.events.size >= state.expected) state.met()
  return OK
}

const accept = (socket: Socket) => {
  socket.setNoDelay(true)
  const parse = createMessageParser((message, bodyAt) => {
    socket.write(arrive(message, bodyAt))
  })
  socket.on('data', parse)
  socket.on('error', () => socket.destroy())
}

const answer = async (message: 'reset' | 'resetWithAges' | Expect): Promise<Arrivals | null> => {
  if (message === 'reset' || message === 'resetWithAges') {
    const agesMs = message === 'resetWithAges' ? [] : null
    Object.assign(state, {
      events: new Set<string>(),
      refused: new Set<string>(),
      deliveries: 0,
      expected: Infinity,
      agesMs,
    })
    return null
  }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, message.withinMs)
    state.expected = message.events
    state.met = () => {
      clearTimeout(timer)
      resolve()
    }
    if (state.events.size >= state.expected) state.met()
  })
  const { events, deliveries, firstAtMs, lastAtMs, agesMs } = state
  return { events: events.size, deliveries, firstAtMs, lastAtMs, agesMs: agesMs ?? [] }
}

await childArgument()
const server = createServer(accept)
server.listen(0, '127.0.0.1', () => serveParent((server.address() as AddressInfo).port, answer))
