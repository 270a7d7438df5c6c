import { expect, test } from '@jest/globals'
import { createMessageParser } from './message-parser.ts'

const message = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const bodiesOf = (chunks: readonly string[]): string[] => {
  const bodies: string[] = []
  const parse = createMessageParser((bytes, bodyAt) => bodies.push(bytes.toString('latin1', bodyAt)))
  for (const chunk of chunks) parse(Buffer.from(chunk))
  return bodies
}

test('parses messages that are split into chunks at any byte', () => {
  const text = message('first') + message('') + message('third')
  for (let cut = 0; cut <= text.length; cut += 1)
    expect(bodiesOf([text.slice(0, cut), text.slice(cut)])).toEqual(['first', '', 'third'])
  expect(bodiesOf(Array.from(text))).toEqual(['first', '', 'third'])
})

test('refuses a message without a length, because its end is unknown', () => {
  expect(() => bodiesOf(['HTTP/1.1 200 OK\r\n\r\n'])).toThrow('Content-Length')
})
