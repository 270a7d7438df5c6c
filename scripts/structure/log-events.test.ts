import { expect, test } from '@jest/globals'
import { logEventsOf } from './log-events.ts'

test('a log event is found with its level, message and part; other calls are ignored', () => {
  const text = `
    log.warn({ event: 'order.late', orderId }, 'An order is late')
    context.log.error({ error, event: 'order.late' }, 'An order is very late')
    const fields = { event: 'order.lost', orderId }
    log.warn(fields, 'An order is lost')
    log.info({ orderId }, 'No code')
    post({ event: 'paid' }, 'No line')`
  expect(logEventsOf([{ path: 'services/shop/src/orders/jobs/expire.ts', text }])).toEqual([
    {
      code: 'order.late',
      part: 'services/shop',
      levels: ['error', 'warn'],
      messages: ['An order is late', 'An order is very late'],
    },
    { code: 'order.lost', part: 'services/shop', levels: ['warn'], messages: ['An order is lost'] },
  ])
})
