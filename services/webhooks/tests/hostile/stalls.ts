import { CRLF, delivered, failed, retried, trickle, writes, type Behaviour } from './behaviour.ts'

const TIMEOUT = failed('timeout')
const OK = `HTTP/1.1 200 OK${CRLF}`

const drips = (receiver: string, start: string, again: string, outcome: Behaviour['outcome']): Behaviour => ({
  receiver,
  answer: (socket) => {
    socket.write(start)
    trickle(socket, again)
  },
  outcome,
})

/** Answers that do not come, or do not end, before the deadline. */
export const STALLS: readonly Behaviour[] = [
  { receiver: 'takes the request and says nothing', answer: () => undefined, outcome: TIMEOUT },
  { receiver: 'stops in the middle of the status line', answer: writes('HTTP/1.1 2'), outcome: TIMEOUT },
  {
    receiver: 'stops in the middle of the header',
    answer: writes(`${OK}content-length: 0${CRLF}`),
    outcome: TIMEOUT,
  },
  {
    receiver: 'says 100 and then nothing',
    answer: writes(`HTTP/1.1 100 Continue${CRLF}${CRLF}`),
    outcome: TIMEOUT,
  },
  {
    receiver: 'takes the connection and reads nothing',
    accept: (socket) => socket.pause(),
    answer: () => undefined,
    requests: 0,
    outcome: TIMEOUT,
  },
  drips('sends a header value a byte at a time (slowloris)', `${OK}x-slow: `, 'a', TIMEOUT),
  drips('sends a header line at a time (slowloris)', OK, `x-slow: a${CRLF}`, TIMEOUT),
  drips('says 103 again and again', '', `HTTP/1.1 103 Early Hints${CRLF}${CRLF}`, TIMEOUT),
  {
    receiver: 'stops in the middle of the body',
    answer: writes(`${OK}content-length: 100${CRLF}${CRLF}part`),
    outcome: delivered(200, 'part'),
  },
  {
    receiver: 'stops in the middle of a chunk',
    answer: writes(`${OK}transfer-encoding: chunked${CRLF}${CRLF}10${CRLF}part`),
    outcome: delivered(200, 'part'),
  },
  drips(
    'sends the body a byte at a time (slowloris)',
    `${OK}content-length: 1000000${CRLF}${CRLF}`,
    'a',
    delivered(200, /^a+$/),
  ),
  {
    receiver: 'refuses and stops in the middle of the body',
    answer: writes(`HTTP/1.1 500 Broken${CRLF}content-length: 100${CRLF}${CRLF}part`),
    outcome: retried(500, 'part'),
  },
]
