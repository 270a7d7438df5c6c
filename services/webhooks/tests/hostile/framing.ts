import { CRLF, delivered, failed, retried, whole, writes, type Behaviour } from './behaviour.ts'

const NOT_HTTP = failed('answer is not HTTP/1.1')
const OK = 'HTTP/1.1 200 OK'
const lines = (...all: string[]) => all.join(CRLF)

/** The receiver writes these bytes and leaves the connection open; they are no HTTP answer. */
const noAnswer = (receiver: string, bytes: string | Buffer): Behaviour => ({
  receiver,
  answer: writes(bytes),
  outcome: NOT_HTTP,
})

const LENGTHS: readonly Behaviour[] = [
  {
    receiver: 'sends more body than its content-length says',
    answer: writes(lines(OK, 'content-length: 4', '', 'kept and more')),
    deliveries: 2,
    outcome: delivered(200, 'kept'),
  },
  {
    receiver: 'sends less body than its content-length says, and closes',
    answer: (socket) => socket.end(lines(OK, 'content-length: 100', '', 'part')),
    deliveries: 2,
    outcome: delivered(200, 'part'),
  },
  noAnswer('states a negative content-length', lines(OK, 'content-length: -1', '', 'x')),
  noAnswer('states a content-length that is no number', lines(OK, 'content-length: many', '', 'x')),
  noAnswer('states a content-length beyond 64 bits', lines(OK, `content-length: ${'9'.repeat(30)}`, '', 'x')),
  noAnswer(
    'states two content-lengths that differ',
    lines(OK, 'content-length: 1', 'content-length: 2', '', 'xy'),
  ),
  noAnswer(
    'states the same content-length twice',
    lines(OK, 'content-length: 1', 'content-length: 1', '', 'x'),
  ),
  {
    receiver: 'states a content-length and chunks as well',
    answer: writes(lines(OK, 'content-length: 3', 'transfer-encoding: chunked', '', '0', '', '')),
    outcome: NOT_HTTP,
  },
  {
    receiver: 'answers 204 with a body',
    answer: writes(lines('HTTP/1.1 204 No Content', 'content-length: 3', '', 'abc')),
    deliveries: 2,
    outcome: delivered(204),
  },
  {
    receiver: 'states no length and ends the body by closing',
    answer: (socket) => socket.end(lines(OK, '', 'until the end')),
    deliveries: 2,
    outcome: delivered(200, 'until the end'),
  },
]

const SEVERAL: readonly Behaviour[] = [
  {
    receiver: 'sends two answers for one request',
    answer: writes(whole(200, 'first') + whole(500, 'second')),
    deliveries: 3,
    outcome: delivered(200, 'first'),
  },
  {
    receiver: 'sends a refusal and then an acceptance for one request',
    answer: writes(whole(503, 'first') + whole(200, 'second')),
    deliveries: 2,
    outcome: retried(503, 'first'),
  },
  {
    receiver: 'sends garbage after its answer',
    answer: writes(`${whole(200, 'ok')}\0\u0001garbage`),
    deliveries: 3,
    outcome: delivered(200, 'ok'),
  },
]

const chunked = (...body: string[]) => lines(OK, 'transfer-encoding: chunked', '', ...body)
const CHUNKS: readonly Behaviour[] = [
  {
    receiver: 'sends its body in chunks',
    answer: writes(chunked('4', 'some', '5', ' more', '0', '', '')),
    deliveries: 2,
    outcome: delivered(200, 'some more'),
  },
  ...(
    [
      ['a chunk size that is no number', chunked('zz', 'x', '0', '', ''), null],
      ['a negative chunk size', chunked('-1', 'x', '0', '', ''), null],
      ['a chunk size beyond 64 bits', chunked('f'.repeat(20), 'x'), null],
      ['a chunk longer than its size', chunked('2', 'abcdef', '0', '', ''), 'ab'],
      ['a trailer that is no header', chunked('1', 'a', '0', 'no colon', '', ''), 'a'],
    ] as const
  ).map(([what, bytes, body]): Behaviour => ({
    receiver: `sends ${what}`,
    answer: writes(bytes),
    deliveries: 2,
    outcome: delivered(200, body),
  })),
  {
    receiver: 'closes in the middle of its chunks',
    answer: (socket) => socket.end(chunked('5', 'ab')),
    outcome: delivered(200, 'ab'),
  },
]

const STATUS_LINES: readonly Behaviour[] = [
  noAnswer('states a code of two digits', lines('HTTP/1.1 20 OK', 'content-length: 0', '', '')),
  noAnswer('states a code of four digits', lines('HTTP/1.1 2000 OK', 'content-length: 0', '', '')),
  noAnswer('states a code that is no number', lines('HTTP/1.1 OK 200', 'content-length: 0', '', '')),
  noAnswer('states a code below 100', lines('HTTP/1.1 099 Low', 'content-length: 0', '', '')),
  noAnswer('states a version that does not exist', lines('HTTP/7.3 200 OK', 'content-length: 0', '', '')),
  noAnswer('answers as HTTP/0.9, with a body alone', '<html>ok</html>'),
  noAnswer(
    'answers with frames of HTTP/2',
    Buffer.from('00001204000000000000030000006400040010000000060000400000', 'hex'),
  ),
  noAnswer('sends the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  noAnswer('speaks another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'),
  noAnswer('repeats the request as its answer', 'POST /hook HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'),
  {
    receiver: 'answers as HTTP/1.0',
    answer: (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold'),
    deliveries: 2,
    outcome: delivered(200, 'old'),
  },
  {
    receiver: 'puts empty lines before its answer',
    answer: writes(`${CRLF}${CRLF}${whole(200, 'ok')}`),
    outcome: delivered(200, 'ok'),
  },
]

const HEADERS: readonly Behaviour[] = [
  noAnswer('sends a header line without a colon', lines(OK, 'no colon here', 'content-length: 0', '', '')),
  noAnswer('sends a header with NUL in it', lines(OK, 'x-nul: a\0b', 'content-length: 0', '', '')),
  noAnswer('ends its lines without CR', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'),
  {
    receiver: 'answers with a body of NUL and broken UTF-8',
    answer: writes(
      Buffer.concat([Buffer.from(lines(OK, 'content-length: 4', '', 'a')), Buffer.from([0x00, 0xff, 0x62])]),
    ),
    outcome: delivered(200, 'a\uFFFD\uFFFDb'),
  },
]

/** How an answer is put together: lengths, chunks, status lines, headers. */
export const FRAMING: readonly Behaviour[] = [...LENGTHS, ...SEVERAL, ...CHUNKS, ...STATUS_LINES, ...HEADERS]
