import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@jest/globals'
import { createClock } from '@causeway/chassis'
import { createNotices } from './notices.ts'
import type { Payment } from './rows.ts'
import { createCardTables } from './schema.ts'

test('retries a notice that nobody accepts after increasing pauses, and then gives up', () => {
  const database = new DatabaseSync(':memory:')
  createCardTables(database)
  const startedMs = Date.now()
  const clock = createClock(() => startedMs)
  const notices = createNotices(database, clock)
  const payment = {
    processor: 'processor',
    paymentId: 'one',
    orderKey: '1001',
    noticeUrl: 'http://127.0.0.1/',
  }
  notices.add(payment as Payment, 'payment', 'payment.completed')

  const pausesMs: number[] = []
  for (let dueMs = notices.nextDueAtMs(); dueMs !== null; dueMs = notices.nextDueAtMs()) {
    pausesMs.push(dueMs - clock.nowMs())
    clock.advance(Math.max(dueMs - clock.nowMs() - 1, 0))
    if (dueMs > clock.nowMs()) {
      expect(notices.due(10)).toEqual([])
      clock.advance(1)
    }
    const [notice, ...others] = notices.due(10)
    if (!notice) throw new Error('A notice that is due is not there')
    expect(others).toEqual([])
    notices.failed(notice)
  }
  expect(pausesMs).toEqual([0, 500, 1_000, 2_000, 5_000, 15_000, 60_000])
})
