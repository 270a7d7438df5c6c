import fc from 'fast-check'
import { CRLF, END, FIELD, mostly } from './odd-fields.ts'

export const DATA = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      'hello',
      'hello world!',
      '\0\x80\xff',
      CRLF,
      '0\r\n\r\n',
      'HTTP/1.1 500 No\r\n\r\n',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(9_000), 'y'.repeat(70_000)) },
)

const EXTENSION = mostly(
  '',
  ';a',
  ';a=b',
  ';a="q\\"x"',
  ';',
  ';;',
  '; a',
  ';a b',
  ';a="',
  ';a=b=c',
  ' ',
  '\t',
  ';a="q"b',
  ';=',
  ';a=\x80',
)
const CHUNK = fc
  .record({
    data: DATA,
    size: mostly('', '1', '0', 'g', '-', 'fffffffffffffffff', ' '),
    extension: EXTENSION,
    ends: fc.tuple(END, END),
  })
  .map(
    ({ data, size, extension, ends: [first, last] }) =>
      `${size}${data.length.toString(16)}${extension}${first}${data}${last}`,
  )
const LAST_CHUNK = fc
  .record({
    size: mostly('0', '00', '', 'x'),
    extension: EXTENSION,
    trailers: fc.array(FIELD, { maxLength: 2 }),
    end: END,
  })
  .map(
    ({ size, extension, trailers, end }) =>
      `${size}${extension}${CRLF}${trailers.map((line) => line + CRLF).join('')}${end}`,
  )
/** Bodies in chunks. */
export const CHUNKED = fc
  .tuple(fc.array(CHUNK, { maxLength: 3 }), LAST_CHUNK)
  .map(([chunks, last]) => chunks.join('') + last)
