import { expect, test } from '@jest/globals'
import { createSequence, NUMBER_MARKER, rawRequest } from './requests.ts'

test('writes a request as HTTP/1.1 with the length of its body in bytes', () => {
  expect(rawRequest({ method: 'POST', path: '/a', headers: { x: '1' }, body: { e: 'é' } })).toBe(
    'POST /a HTTP/1.1\r\nhost: 127.0.0.1\r\nx: 1\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"e":"é"}',
  )
})

test('repeats requests in turn, each marker with a new number', () => {
  const { next } = createSequence(['plain', `n=${NUMBER_MARKER}`])
  const texts = Array.from({ length: 4 }, () => next().toString())
  expect(texts).toEqual(['plain', 'n=000000000002', 'plain', 'n=000000000004'])
})
