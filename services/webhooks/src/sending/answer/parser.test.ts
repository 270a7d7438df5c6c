import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { CHUNKED, lines, OK, read, readPieces } from '../../../tests/sending/read-answer.ts'
import { MalformedAnswerError } from './failures.ts'
import { AnswerParser } from './parser.ts'

describe('where an answer ends', () => {
  test.each([
    ['at its content-length', lines(OK, 'content-length: 2', '', 'ok'), 'complete', 'ok', true],
    [
      'before bytes behind its content-length, which end the connection',
      lines(OK, 'content-length: 2', '', 'ok!'),
      'complete',
      'ok',
      false,
    ],
    [
      'before empty lines behind it, which do not',
      lines(OK, 'content-length: 2', '', 'ok\r\n\n'),
      'complete',
      'ok',
      true,
    ],
    ['at its header, of no content', lines(OK, 'content-length: 0', '', ''), 'complete', '', true],
    ['at its header, of 204', lines('HTTP/1.1 204 No Content', '', ''), 'complete', '', true],
    [
      'at its header, of 304 that states a length, which ends the connection',
      lines('HTTP/1.1 304 No', 'content-length: 5', '', ''),
      'complete',
      '',
      false,
    ],
    [
      'behind its last chunk and trailers',
      lines(OK, CHUNKED, '', '2;a="b"', 'ok', '0', 'x-a: b', '', ''),
      'complete',
      'ok',
      true,
    ],
    ['not before its trailers', lines(OK, CHUNKED, '', '2', 'ok', '0', 'x-a: b', ''), 'open', 'ok', true],
    ['not before the connection, without a length', lines(OK, '', 'ok'), 'open', 'ok', false],
    [
      'not before the connection, in a coding that is not chunked',
      lines(OK, 'transfer-encoding: gzip', '', 'ok'),
      'open',
      'ok',
      false,
    ],
    [
      'not before the connection, when chunked is not the last coding',
      lines(OK, 'transfer-encoding: chunked, gzip', '', '2'),
      'open',
      '2',
      false,
    ],
    [
      'behind an interim answer and its own',
      lines('HTTP/1.1 100 Continue', '', OK, 'content-length: 1', '', 'a'),
      'complete',
      'a',
      true,
    ],
    [
      'where its connection is closed, by its own word',
      lines(OK, 'content-length: 1', 'connection: x, close', '', 'a'),
      'complete',
      'a',
      false,
    ],
    [
      'where it is of HTTP/1.0',
      lines('HTTP/1.0 200 OK', 'content-length: 1', '', 'a'),
      'complete',
      'a',
      false,
    ],
  ])('%s', (_title, text, state, body, keepsConnection) => {
    const statusCode = Number(/HTTP\S+ (?!1)(\d+)/.exec(text)?.[1])
    expect(read(text)).toEqual({
      state,
      statusCode,
      body,
      keepsConnection,
      retryAfter: undefined,
      hasBegun: true,
    })
  })

  test('a body beyond 64 KiB is not read to its end, and 8 KiB are kept', () => {
    const head = lines(OK, 'content-length: 1000000', '', '')
    expect(read(head + 'x'.repeat(65_536))).toMatchObject({ state: 'open', body: 'x'.repeat(8_192) })
    expect(read(head + 'x'.repeat(65_537))).toMatchObject({
      state: 'complete',
      keepsConnection: false,
      body: 'x'.repeat(8_192),
    })
  })

  test('101 is an answer as soon as its digits are there, and the last on its connection', () => {
    expect(read('HTTP/1.1 101')).toMatchObject({ state: 'complete', statusCode: 101, keepsConnection: false })
  })
})

describe('pieces of any size', () => {
  const texts = [
    lines(
      OK,
      'Date: now',
      'Retry-After: 7',
      'Connection: keep-alive',
      'Keep-Alive: timeout=5',
      'Content-Length: 5',
      '',
      'hello',
    ),
    lines(
      'HTTP/1.1 100 Continue',
      'x-a: b',
      '',
      'HTTP/1.1 103 Early',
      '',
      'HTTP/1.1 503 Busy',
      CHUNKED,
      '',
      '5;a=b;c="d\\""',
      'hello',
      '1',
      '!',
      '0',
      'x-trailer: 1',
      '',
      '',
    ),
    lines(
      '',
      '',
      'HTTP/1.0 404 None',
      'transfer-encoding: gzip , chunked',
      'retry-after: 3',
      'retry-after: 9',
      '',
      '0',
      '',
      'more',
    ),
    lines(OK, 'Content-Length: 5', 'content-length: 5', '', 'hello'),
    lines(OK, 'transfer-encoding : chunked', '', ''),
    lines(OK, CHUNKED, '', '5', 'hello', 'x'),
  ]
  test('say the same as the whole', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat(400)), (text, places) => {
        const bytes = Buffer.from(text, 'latin1')
        const ends = [...new Set(places), bytes.length]
          .filter((end) => end <= bytes.length)
          .sort((a, b) => a - b)
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
        expect(readPieces(pieces)).toMatchObject({
          ...readPieces([bytes]),
          keepsConnection: expect.anything() as unknown,
        })
      }),
      { numRuns: 500 },
    )
  })

  test('may be of one byte, and may be overwritten when they have been read', () => {
    for (const text of texts) {
      const parser = new AnswerParser()
      parser.begin()
      const piece = Buffer.alloc(1)
      const expected = read(text)
      let state = 'open'
      for (const byte of Buffer.from(text, 'latin1')) {
        piece[0] = byte
        try {
          if (parser.read(piece)) state = 'complete'
        } catch {
          state = MalformedAnswerError.name
        }
        if (state !== 'open') break
      }
      expect([state, parser.statusCode, parser.retryAfter, parser.body.toString('latin1')]).toEqual([
        expected.state,
        expected.statusCode,
        expected.retryAfter,
        expected.body,
      ])
    }
  })
})

test('what a header says for later requests', () => {
  const after = (header: string) => {
    const parser = new AnswerParser()
    parser.begin()
    parser.read(Buffer.from(lines(OK, header, 'content-length: 0', '', '')))
    return parser.keepAliveMs
  }
  expect([
    after('keep-alive: timeout=5, max=9'),
    after('Keep-Alive: max=9, Timeout=600'),
    after('keep-alive: xtimeout=5'),
    after('a: b'),
  ]).toEqual([5_000, 600_000, null, null])
})

test('nothing of one answer is left for the next', () => {
  const parser = new AnswerParser()
  parser.begin()
  parser.read(
    Buffer.from(
      lines(
        'HTTP/1.1 503 Busy',
        'retry-after: 9',
        'keep-alive: timeout=9',
        CHUNKED,
        '',
        '1',
        'a',
        '0',
        '',
        '',
      ),
    ),
  )
  parser.begin()
  expect([parser.statusCode, parser.retryAfter, parser.hasBegun, parser.body.length]).toEqual([
    null,
    undefined,
    false,
    0,
  ])
  parser.read(Buffer.from(lines(OK, 'content-length: 2', '', 'ok')))
  expect([parser.statusCode, parser.retryAfter, parser.keepAliveMs, parser.body.toString()]).toEqual([
    200,
    undefined,
    null,
    'ok',
  ])
})
