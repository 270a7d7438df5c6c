import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { COMPUTED_CODES, readLogEvents } from './page.ts'
import { logEventsOf } from './log-events.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('finds a log event with its level, message and part, and ignores other calls', () => {
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

describe('the table of event codes in docs/OPERATIONS.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'OPERATIONS.md'), 'utf8')
  const section = page.split('### Event codes')[1]?.split('\n## ')[0] ?? ''
  const codes = [...section.matchAll(/^\| (`.*?) +\| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+\.[^`]+)`/g)].map(([, code = '']) => code),
  )

  test('contains only codes that are logged', async () => {
    const logged = new Set([...COMPUTED_CODES, ...(await readLogEvents(ROOT)).map(({ code }) => code)])
    expect(codes.length).toBeGreaterThan(40)
    expect(codes.filter((code) => !logged.has(code))).toEqual([])
  })

  test('contains every code of level error', async () => {
    const errors = (await readLogEvents(ROOT)).filter(
      ({ levels, part }) => levels.includes('error') && part !== 'sandbox',
    )
    expect(errors.map(({ code }) => code).filter((code) => !codes.includes(code))).toEqual([])
  })
})
