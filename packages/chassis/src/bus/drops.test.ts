import { expect, test } from '@jest/globals'
import { createDropLog } from './drops.ts'

test('logs at most one line per second and reason, with the number of suppressed lines', () => {
  const lines: unknown[] = []
  let nowMs = 0
  const write = (fields: object) => void lines.push(fields)
  const drop = createDropLog({ warn: write, info: write } as never, () => nowMs)
  for (let n = 0; n < 500; n += 1) drop('seal', 'payments.crypto-orders.create')
  drop('no_reply', 'payments.crypto-orders.create')
  nowMs = 1_000
  drop('seal', 'payments.crypto-orders.create')
  const line = { event: 'bus.request_dropped', subject: 'payments.crypto-orders.create' }
  expect(lines).toEqual([
    { ...line, reason: 'seal', unlogged: 0 },
    { ...line, reason: 'no_reply', unlogged: 0 },
    { ...line, reason: 'seal', unlogged: 499 },
  ])
})
