import type { Socket } from 'node:net'
import { CRLF, delivered, failed, retried, whole, writes, type Behaviour } from './behaviour.ts'

const CLOSED = failed('connection closed before an answer')
const RESET = failed('connection reset')
const OK = whole(200, 'ok')
/** Keeps the connection for as long as any test takes. */
const KEPT = whole(200, 'ok', ['keep-alive: timeout=600'])

/** Resets once the bytes are out. */
const resets =
  (bytes = ''): Behaviour['answer'] =>
  (socket) =>
    bytes === '' ? socket.resetAndDestroy() : socket.write(bytes, () => socket.resetAndDestroy())

/** Answers the first request of a connection, and does this with those after it. */
const afterFirst =
  (then: (socket: Socket) => void): Behaviour['answer'] =>
  (socket, { onConnection }) =>
    onConnection === 1 ? socket.write(KEPT) : then(socket)

const WITHOUT_ANSWER: readonly Behaviour[] = [
  {
    receiver: 'resets every connection as soon as it is made',
    accept: (socket) => socket.resetAndDestroy(),
    answer: () => undefined,
    requests: 0,
    outcome: RESET,
  },
  {
    receiver: 'closes every connection as soon as it is made',
    accept: (socket) => socket.end(),
    answer: () => undefined,
    outcome: CLOSED,
  },
  { receiver: 'closes without an answer', answer: (socket) => socket.destroy(), outcome: CLOSED },
  {
    receiver: 'ends its own side without an answer and reads on',
    answer: (socket) => socket.end(),
    outcome: CLOSED,
  },
  {
    receiver: 'closes in the middle of the status line',
    answer: (socket) => socket.end('HTTP/1.1 20'),
    outcome: CLOSED,
  },
  {
    receiver: 'closes in the middle of the header',
    answer: (socket) => socket.end(`HTTP/1.1 200 OK${CRLF}content-le`),
    outcome: CLOSED,
  },
  {
    receiver: 'closes after an interim answer',
    answer: (socket) => socket.end(`HTTP/1.1 103 Early Hints${CRLF}${CRLF}`),
    outcome: CLOSED,
  },
  { receiver: 'resets instead of an answer', answer: resets(), outcome: RESET },
  { receiver: 'resets in the middle of the status line', answer: resets('HTTP/1.1 20'), outcome: RESET },
  {
    receiver: 'resets in the middle of the header',
    answer: resets(`HTTP/1.1 200 OK${CRLF}content-le`),
    outcome: RESET,
  },
]

const AFTER_STATUS: readonly Behaviour[] = [
  {
    receiver: 'resets in the middle of the body',
    answer: resets(`HTTP/1.1 200 OK${CRLF}content-length: 100${CRLF}${CRLF}part`),
    deliveries: 2,
    outcome: delivered(200, 'part'),
  },
  {
    receiver: 'refuses and resets in the middle of the body',
    answer: resets(`HTTP/1.1 500 Broken${CRLF}content-length: 100${CRLF}${CRLF}part`),
    outcome: retried(500, 'part'),
  },
  { receiver: 'resets after its answer', answer: resets(OK), deliveries: 3, outcome: delivered(200, 'ok') },
  {
    receiver: 'closes after its answer without having said so',
    answer: (socket) => socket.end(OK),
    deliveries: 3,
    outcome: delivered(200, 'ok'),
  },
  {
    receiver: 'says `connection: close` and leaves the connection open',
    answer: writes(whole(200, 'ok', ['connection: close'])),
    deliveries: 3,
    outcome: delivered(200, 'ok'),
  },
  {
    receiver: 'says `keep-alive: timeout=0`',
    answer: writes(whole(200, 'ok', ['connection: keep-alive', 'keep-alive: timeout=0'])),
    deliveries: 3,
    outcome: delivered(200, 'ok'),
  },
]

const KEPT_ALIVE: readonly Behaviour[] = [
  {
    receiver: 'closes a kept connection when the next request comes',
    answer: afterFirst((socket) => socket.destroy()),
    deliveries: 2,
    requests: 3,
    outcome: delivered(200, 'ok'),
  },
  {
    receiver: 'resets a kept connection when the next request comes',
    answer: afterFirst((socket) => socket.resetAndDestroy()),
    deliveries: 2,
    requests: 3,
    outcome: delivered(200, 'ok'),
  },
  {
    receiver: 'closes a kept connection at the next request, and the fresh one too',
    answer: (socket, { overall }) => (overall === 1 ? socket.write(KEPT) : socket.destroy()),
    deliveries: 2,
    requests: 3,
    outcome: CLOSED,
  },
  {
    receiver: 'closes a kept connection after the first byte of the next answer',
    answer: afterFirst((socket) => socket.end('H')),
    deliveries: 2,
    outcome: CLOSED,
  },
]

/** Connections that end where they should not. */
export const CONNECTIONS: readonly Behaviour[] = [...WITHOUT_ANSWER, ...AFTER_STATUS, ...KEPT_ALIVE]
