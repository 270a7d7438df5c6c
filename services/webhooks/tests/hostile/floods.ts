import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { CRLF, delivered, failed, flood, retried, type Behaviour } from './behaviour.ts'

const OK = `HTTP/1.1 200 OK${CRLF}`
const KEPT = 8_192
const LUMP = 'x'.repeat(16_384)

const TOO_LARGE = failed('answer headers too large')
const ENDLESS = failed('answer without end')
const KEPT_OF_LUMP = delivered(200, LUMP.slice(0, KEPT))

const pours = (receiver: string, start: string, again: string, outcome: Behaviour['outcome']): Behaviour => ({
  receiver,
  answer: (socket) => {
    socket.write(start)
    flood(socket, again)
  },
  outcome,
})

/** 64 MiB in less than 80 KiB; random bytes lie ahead, so that what is kept shows whether it was unpacked. */
const BOMB = Buffer.concat([gzipSync(randomBytes(KEPT)), gzipSync(Buffer.alloc(64 << 20))])
const readable = (bytes: Buffer) => bytes.subarray(0, KEPT).toString('utf8').replaceAll('\0', '\uFFFD')

/** Answers without an end, as fast as they are read. */
export const FLOODS: readonly Behaviour[] = [
  pours('sends a header line without end', `${OK}x-long: `, LUMP, TOO_LARGE),
  pours('sends header lines without end', OK, `x-line: ${'y'.repeat(100)}${CRLF}`.repeat(100), TOO_LARGE),
  pours('sends a reason phrase without end', 'HTTP/1.1 200 ', LUMP, ENDLESS),
  pours('says 103 without end', '', `HTTP/1.1 103 Early Hints${CRLF}${CRLF}`.repeat(500), ENDLESS),
  pours('says 100 without end', '', `HTTP/1.1 100 Continue${CRLF}${CRLF}`.repeat(500), ENDLESS),
  pours('sends empty lines without end', '', CRLF.repeat(8_192), ENDLESS),
  pours('sends a body without end, of no stated length', `${OK}${CRLF}`, LUMP, KEPT_OF_LUMP),
  pours(
    'sends a body without end, in chunks',
    `${OK}transfer-encoding: chunked${CRLF}${CRLF}`,
    `4000${CRLF}${LUMP}${CRLF}`,
    KEPT_OF_LUMP,
  ),
  pours('sends a body of a terabyte', `${OK}content-length: 1099511627776${CRLF}${CRLF}`, LUMP, KEPT_OF_LUMP),
  pours(
    'refuses with a body without end',
    `HTTP/1.1 503 Busy${CRLF}${CRLF}`,
    LUMP,
    retried(503, LUMP.slice(0, KEPT)),
  ),
  pours(
    'sends a chunk extension without end',
    `${OK}transfer-encoding: chunked${CRLF}${CRLF}4${CRLF}body${CRLF}4;`,
    LUMP,
    delivered(200, 'body'),
  ),
  pours(
    'sends trailers without end',
    `${OK}transfer-encoding: chunked${CRLF}${CRLF}4${CRLF}body${CRLF}0${CRLF}`,
    `x-line: ${'y'.repeat(100)}${CRLF}`.repeat(100),
    delivered(200, 'body'),
  ),
  {
    receiver: 'sends a compressed bomb',
    answer: (socket) => {
      socket.write(`${OK}content-encoding: gzip${CRLF}content-length: ${BOMB.length}${CRLF}${CRLF}`)
      socket.write(BOMB)
    },
    deliveries: 2,
    outcome: delivered(200, readable(BOMB)),
  },
]
