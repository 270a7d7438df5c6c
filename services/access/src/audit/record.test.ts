import { expect, test } from '@jest/globals'
import { boundedState, entryOf } from './record.ts'

test('keeps a state of up to 64 KiB of JSON, and replaces a larger one by its size', () => {
  const largest = 'x'.repeat(64 * 1024 - 2)
  expect(boundedState(largest)).toBe(largest)
  expect(boundedState(`${largest}x`)).toEqual({ omitted_bytes: 64 * 1024 + 1 })
  expect(boundedState(null)).toBeNull()
})

test('builds an entry from its beginning, and completes it by its end', () => {
  const began = {
    kind: 'began',
    entry_id: 'aud_1',
    at: '2026-01-02T03:04:05.678Z',
    actor: 'stk_1',
    action: 'gateway.partners.update',
    target: 'prt_1',
    before: null,
    after: { outcome: 'started' },
    request_id: 'req_1',
  }
  const { kind, ...shown } = began
  expect([kind, entryOf(JSON.stringify(began), null)]).toEqual(['began', shown])
  const ended = { kind: 'ended', request_id: 'req_1', target: null, before: { a: 1 }, after: { a: 2 } }
  expect(entryOf(JSON.stringify(began), JSON.stringify(ended))).toEqual({
    ...shown,
    before: { a: 1 },
    after: { a: 2 },
  })
})
