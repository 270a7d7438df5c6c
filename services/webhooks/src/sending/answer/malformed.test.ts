import { describe, expect, test } from '@jest/globals'
import { CHUNKED, CRLF, lines, OK, read, readPieces } from '../../../tests/sending/read-answer.ts'
import { FloodError, LargeHeaderError } from './failures.ts'

describe('what is refused', () => {
  const NO_STATUS = { state: 'MalformedAnswerError', statusCode: null }
  test.each([
    ['no HTTP', 'HTTQ'],
    ['a version that does not exist', 'HTTP/1.2'],
    ['a code of two digits', 'HTTP/1.1 20 '],
    ['a code of four digits', 'HTTP/1.1 2000'],
    ['a code below 100, once its header is complete', lines('HTTP/1.1 099 Low', '', '')],
    ['a status line without CR', 'HTTP/1.1 200 OK\n'],
    ['a bare CR in the status line', 'HTTP/1.1 200 O\rK'],
    ['a header line without CR', `${OK}${CRLF}a: b\n`],
    ['a bare CR in a value', `${OK}${CRLF}a: b\rc`],
    ['NUL in a value', `${OK}${CRLF}a: b\0`],
    ['DEL in a value', `${OK}${CRLF}a: b\x7f`],
    ['a name that is not ASCII', `${OK}${CRLF}\x80`],
    ['a line without a name', `${OK}${CRLF}:`],
    ['a line without a colon', `${OK}${CRLF}no `],
    ['white space before a colon', `${OK}${CRLF}content-length `],
    ['a folded line', `${OK}${CRLF}a: b${CRLF} `],
    ['white space before the first line', `${OK}${CRLF} `],
    ['an empty length', lines(OK, 'content-length:', 'a')],
    ['a negative length', `${OK}${CRLF}content-length: -`],
    ['a list of lengths', `${OK}${CRLF}content-length: 5,`],
    ['a length beyond 64 bits', `${OK}${CRLF}content-length: 18446744073709551616`],
    ['two lengths, though alike', lines(OK, 'content-length: 1', 'content-length: 1')],
    ['a length and a coding', lines(OK, 'content-length: 1', 'transfer-encoding:')],
    ['a coding and a length', lines(OK, CHUNKED, 'content-length:')],
    [
      'bytes behind an interim answer that closes the connection',
      lines('HTTP/1.1 103 Early', 'connection: close', '', 'H'),
    ],
  ])('%s, at its last byte', (_title, text) => {
    expect(read(text)).toMatchObject(NO_STATUS)
    expect(read(text.slice(0, -1)).state).toBe('open')
  })

  test.each([
    ['a size that is no number', 'g'],
    ['a size beyond 64 bits', '10000000000000000'],
    ['white space behind a size', '1 '],
    ['a size without CR', '1\n'],
    ['an extension that begins with a space', '1; '],
    ['an extension with a space', '1;a '],
    ['a quote without an end', '1;a="\r'],
    ['more than its size', `1${CRLF}ab`],
    ['no LF at its end', `1${CRLF}a\ra`],
    ['a length among its trailers', `0${CRLF}content-length:`],
  ])('a chunk with %s leaves the status as it is', (_title, text) => {
    const head = lines(OK, CHUNKED, '', '')
    expect(read(head + text)).toMatchObject({ state: 'MalformedAnswerError', statusCode: 200 })
    expect(read(head + text.slice(0, -1)).state).toBe('open')
  })

  test('16 KiB of names and values, of one header or one set of trailers', () => {
    const line = `x: ${'v'.repeat(16_382)}`
    expect(read(lines(OK, line, '')).state).toBe('open')
    expect(read(lines(OK, `${line}v`)).state).toBe(LargeHeaderError.name)
    expect(read(lines('HTTP/1.1 103 Early', line, '', OK, line, 'content-length: 0', '', '')).state).toBe(
      LargeHeaderError.name,
    )
    expect(read(lines('HTTP/1.1 103 Early', line, '', OK, 'a: b', ''))).toMatchObject({ state: 'open' })
    expect(read(lines(OK, CHUNKED, '', '0', `${line}v`))).toMatchObject({
      state: LargeHeaderError.name,
      statusCode: 200,
    })
  })

  test('256 KiB in all, interim answers and empty lines included', () => {
    const interim = lines('HTTP/1.1 103 Early', '', '')
    const many = (text: string) =>
      Array.from({ length: 5 }, () => Buffer.from(text.repeat(Math.floor(65_536 / text.length))))
    expect(readPieces(many(interim))).toMatchObject({
      state: FloodError.name,
      statusCode: null,
      hasBegun: true,
    })
    expect(readPieces(many(CRLF))).toMatchObject({
      state: FloodError.name,
      statusCode: null,
      hasBegun: false,
    })
  })
})
