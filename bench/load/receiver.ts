/** The webhook receiver: counts deliveries on raw sockets and answers each 200 at once. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { childArgument, serveParent } from '../parts/child-main.ts'
import { createMessageParser } from './message-parser.ts'
import type { Arrivals, Expect } from './receiver-process.ts'

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
const EVENT_ID = Buffer.from('"event_id":"')
const EVENT_ID_LENGTH = 30

const state = {
  events: new Set<string>(),
  deliveries: 0,
  firstMs: 0,
  lastMs: 0,
  expected: Infinity,
  met: () => {},
}

/** Counts each event once: a delivery may come again. */
const arrive = (message: Buffer, bodyAt: number) => {
  const at = message.indexOf(EVENT_ID, bodyAt) + EVENT_ID.length
  state.events.add(message.toString('latin1', at, at + EVENT_ID_LENGTH))
  state.deliveries += 1
  state.lastMs = performance.now()
  if (state.deliveries === 1) state.firstMs = state.lastMs
  if (state.events.size >= state.expected) state.met()
}

const accept = (socket: Socket) => {
  socket.setNoDelay(true)
  const parse = createMessageParser((message, bodyAt) => {
    arrive(message, bodyAt)
    socket.write(OK)
  })
  socket.on('data', parse)
  socket.on('error', () => socket.destroy())
}

const answer = async (message: 'reset' | Expect): Promise<Arrivals | null> => {
  if (message === 'reset') {
    Object.assign(state, { events: new Set<string>(), deliveries: 0, expected: Infinity })
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
  const seconds = (state.lastMs - state.firstMs) / 1_000
  return { events: state.events.size, deliveries: state.deliveries, seconds }
}

await childArgument()
const server = createServer(accept)
server.listen(0, '127.0.0.1', () => serveParent((server.address() as AddressInfo).port, answer))
