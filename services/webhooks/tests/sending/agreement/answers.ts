import fc from 'fast-check'
import { CHUNKED, DATA } from './odd-bodies.ts'
import { CRLF, END, FIELD, mostly } from './odd-fields.ts'

const VERSION = mostly(
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.2',
  'HTTP/7.3',
  'http/1.1',
  'HTTP/11',
  'HTP/1.1',
)
const CODE = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('200', '201', '204', '302', '304', '404', '429', '500', '503', '999'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('99', '099', '000', '2000', 'OK', '20x', '+20', '1e2', '', '199', '102'),
  },
)
const REASON = mostly(
  ' OK',
  '',
  ' ',
  '  two  spaces',
  ' \x80\xff',
  ' nul\0',
  ' \ttab',
  'OK',
  '\t',
  ' bare\rcr',
  ' bare\nlf',
)
const EMPTY_LINES = mostly('', CRLF, '\r', '\n', CRLF + CRLF, ' ')

const head = (codes: fc.Arbitrary<string>, extra: fc.Arbitrary<readonly string[]>) =>
  fc
    .record({
      before: EMPTY_LINES,
      version: VERSION,
      space: mostly(' ', '', '  ', '\t'),
      code: codes,
      reason: REASON,
      end: END,
      fields: fc.array(fc.tuple(FIELD, END), { maxLength: 4 }),
      extra,
      last: END,
    })
    .map(
      (of) =>
        `${of.before}${of.version}${of.space}${of.code}${of.reason}${of.end}${of.extra.map((line) => line + CRLF).join('')}${of.fields.map((field) => field.join('')).join('')}${of.last}`,
    )

/** What every client takes: a part of them stays as it is, the others are changed below. */
const plain = fc
  .record({
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    code: fc.constantFrom(200, 204, 304, 404, 503),
    keep: fc.constantFrom('', 'connection: close\r\n', 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n'),
    retry: fc.constantFrom('', 'Retry-After: 7\r\n'),
    data: DATA,
    framing: fc.constantFrom('length', 'chunked', 'close'),
  })
  .map(({ version, code, keep, retry, data, framing }) => {
    const size = data === '' ? '' : `${data.length.toString(16)}${CRLF}${data}${CRLF}`
    const rest = {
      length: `content-length: ${data.length}${CRLF}${CRLF}${data}`,
      chunked: `transfer-encoding: chunked${CRLF}${CRLF}${size}0${CRLF}${CRLF}`,
      close: CRLF + data,
    }
    return `HTTP/${version} ${code} Reason${CRLF}date: now${CRLF}${keep}${retry}${rest[framing]}`
  })
const odd = fc
  .record({
    interims: fc.array(head(fc.constantFrom('100', '102', '103', '199'), fc.constant([])), { maxLength: 2 }),
    head: head(CODE, fc.constantFrom([], [], ['transfer-encoding: chunked'], ['content-length: 5'])),
    body: fc.oneof(DATA, CHUNKED),
    after: fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom(CRLF, 'x', 'HTTP/1.1 500 No\r\n\r\n') },
    ),
  })
  .map((of) => [...of.interims, of.head, of.body, of.after].join(''))

/** What is odd about a header keeps most bodies from being read at all: these are. */
const oddlyChunked = CHUNKED.map(
  (body) => `HTTP/1.1 200 OK${CRLF}transfer-encoding: chunked${CRLF}${CRLF}${body}`,
)

const NASTY = [
  '\r',
  '\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '"',
  '\x7f',
  '\x80',
  '0',
  '9',
  'a',
  'H',
  CRLF,
  'chunked',
  '\r\n\r\n',
]
type Change = Readonly<{ at: number; removed: number; added: string }>
const CHANGE: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  removed: fc.nat(2),
  added: fc.constantFrom('', ...NASTY),
})
const change = (text: string, changes: readonly Change[]) =>
  changes.reduce((now, { at, removed, added }) => {
    const place = at % (now.length + 1)
    return now.slice(0, place) + added + now.slice(place + removed)
  }, text)

/** Answers of any kind, as latin1, with the places where they are cut into pieces. */
export const ANSWER = fc
  .record({
    text: fc.oneof(plain, odd, oddlyChunked),
    changes: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(CHANGE, { minLength: 1, maxLength: 2 }) },
    ),
    shortened: fc.oneof(
      { weight: 5, arbitrary: fc.constant(Infinity) },
      { weight: 1, arbitrary: fc.nat(300) },
    ),
    cuts: fc.oneof(
      fc.constant([]),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.array(fc.nat(300), { maxLength: 40 }),
    ),
  })
  .map(({ text, changes, shortened, cuts }) => ({ bytes: change(text, changes).slice(0, shortened), cuts }))
