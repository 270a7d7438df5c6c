import fc from 'fast-check'

export const CRLF = '\r\n'

/** Mostly the first, now and then one of the others. */
export const mostly = (usual: string, ...odd: readonly string[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })

/** Ends of a line. */
export const END = mostly(CRLF, '\n', '\r', '\r\r\n', '\n\r', ' \r\n')

const LENGTHS = [
  '0',
  '1',
  '5',
  '12',
  ' 5',
  '5 ',
  '5\t',
  '+5',
  '-1',
  '5,5',
  '5, 5',
  '0x5',
  '',
  ' ',
  '1e1',
  '00005',
  '5 5',
  '99999999999999999999',
  '18446744073709551616',
  '9007199254740993',
  '70000',
]
const CODINGS = [
  'chunked',
  'Chunked',
  'CHUNKED',
  'chunked ',
  'chunked\t',
  'gzip',
  'gzip, chunked',
  'gzip,chunked',
  'chunked, chunked',
  'chunked,chunked',
  'chunked, gzip',
  'chunkedx',
  'xchunked',
  'chunked,',
  ',chunked',
  '',
  'identity',
  'chunked;q=1',
  'gzip ,\t chunked ',
]
const OPTIONS = [
  'close',
  'keep-alive',
  'Close',
  'keep-alive, close',
  'close, keep-alive',
  'closed',
  'close ,x',
  'x,close',
  '',
  'upgrade',
  'keep-alive x',
  'te,\tKEEP-ALIVE\t',
]
const RETRY = ['120', '0', ' 5 ', 'soon', 'Thu, 01 Jan 2026 00:01:00 GMT', '', '-5', '1\x80']
const named = (names: readonly string[], values: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(':', ': ', ':\t', ':  '), fc.constantFrom(...values))
    .map((parts) => parts.join(''))

/** Lines of a header, without their ends. */
export const FIELD = fc.oneof(
  {
    weight: 3,
    arbitrary: named(['date', 'server', 'x-a', 'X-B!#$%', 'a'], ['v', 'a b', '\x80\xff', '', 'a\tb', '"q"']),
  },
  { weight: 2, arbitrary: named(['content-length', 'Content-Length'], LENGTHS) },
  { weight: 2, arbitrary: named(['transfer-encoding', 'Transfer-Encoding'], CODINGS) },
  { weight: 2, arbitrary: named(['connection', 'Connection', 'proxy-connection'], OPTIONS) },
  { weight: 2, arbitrary: named(['retry-after', 'Retry-After'], RETRY) },
  { weight: 1, arbitrary: named(['keep-alive'], ['timeout=5', 'timeout=0', 'max=3, timeout=600', 'x']) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ' folded: a',
      '\tfolded',
      'no colon',
      'spaced : a',
      ': unnamed',
      'nul: a\0b',
      'del: a\x7fb',
      'cr: a\rb',
      'lf: a\nb',
      'high\x80: a',
      'content-length : 5',
      'transfer-encodin: chunked',
      'x: folded\r\n more',
      'content-length: \r\n 5',
      `long: ${'v'.repeat(17_000)}`,
      `${'n'.repeat(17_000)}: v`,
    ),
  },
)
