import { describe, expect, test } from '@jest/globals'
import type { Delivery } from '@causeway/contracts'
import { healthOf } from './health.ts'

const attempt = (minute: number, statusCode: number | null, latencyMs = 10) => ({
  at: `2026-11-23T10:${String(minute).padStart(2, '0')}:00.000Z`,
  status_code: statusCode,
  latency_ms: latencyMs,
  error: statusCode === null ? 'connection refused' : null,
  response_body: null,
})
const delivery = (status: Delivery['status'], attempts: Delivery['attempts']): Delivery => ({
  delivery_id: 'dlv_1',
  event_id: 'evt_1',
  event_type: 'payment.confirmed',
  status,
  attempts,
  next_attempt_at: null,
  created_at: '2026-11-23T10:00:00.000Z',
})

describe('the health of an endpoint', () => {
  test('is unknown without a delivery', () => {
    expect(healthOf([])).toEqual({ total: 0, deliveredShare: null, failingSince: null, p50: null, p99: null })
  })

  test('counts the share of what has ended, not what still waits', () => {
    const health = healthOf([
      delivery('delivered', [attempt(1, 200)]),
      delivery('delivered', [attempt(2, 200)]),
      delivery('dead', [attempt(3, 422)]),
      delivery('waiting', [attempt(4, 500)]),
    ])
    expect([health.total, health.deliveredShare]).toEqual([4, 2 / 3])
  })

  test('fails since the first attempt after the last successful one, across all deliveries', () => {
    const log = [
      delivery('waiting', [attempt(7, 500), attempt(9, null)]),
      delivery('delivered', [attempt(2, 503), attempt(5, 204)]),
    ]
    expect(healthOf(log).failingSince).toBe('2026-11-23T10:07:00.000Z')
    expect(healthOf([...log, delivery('delivered', [attempt(10, 200)])]).failingSince).toBeNull()
    expect(healthOf([delivery('dead', [attempt(3, 400)])]).failingSince).toBe('2026-11-23T10:03:00.000Z')
  })

  test('computes response times from all responses, including refusals, and ignores attempts without a response', () => {
    const latencies = Array.from({ length: 100 }, (_, index) => attempt(index % 60, 200, 100 - index))
    const log = [delivery('delivered', latencies), delivery('waiting', [attempt(1, null, 9_000)])]
    expect(healthOf(log)).toMatchObject({ p50: 50, p99: 99 })
    expect(healthOf([delivery('dead', [attempt(1, 400, 7)])])).toMatchObject({ p50: 7, p99: 7 })
  })
})
