import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import type pg from 'pg'
import { ATTEMPTS_SHAPE, SHAPES } from './shapes.ts'

/** They are in the order of the index, in which rows of the same time are neighbours. */
const SCANS = 'it scans 10,000 rows at the most'

const ALLOWANCES: PlanAllowances = {
  'deliveries.list': {
    may: ['costs'],
    because:
      'it looks for attempts in the table of each day since the delivery, of which the planner expects all',
  },
  'deliveries.list-some': { may: ['costs'], because: SCANS },
  'deliveries.last-some': { may: ['costs'], because: SCANS },
  'deliveries.list-dead': { may: ['costs'], because: SCANS },
  'deliveries.last-dead': { may: ['costs'], because: SCANS },
  'deliveries.list-waiting': { may: ['costs'], because: SCANS },
  'deliveries.last-waiting': { may: ['costs'], because: SCANS },
  'deliveries.list-destinations-with-dead': {
    may: ['costs'],
    because: 'it reads 20 dead deliveries of each of 200 destinations, every 5 minutes',
  },
  'destinations.changed': {
    may: ['costs', 'collects'],
    because: 'it reads all destinations at a start, and later what has changed since the last look',
  },
  'destinations.purge': { may: ['costs', 'collects'], because: 'it looks at each deleted destination' },
  'destinations.purge-deliveries': {
    may: ['costs'],
    because: 'it purges a bounded number, in the background',
  },
  'destinations.purge-former-secrets': {
    may: ['costs', 'collects'],
    because: 'it purges what has ended since the round before, seconds ago',
  },
  'events.list': { may: ['costs', 'sorts'], because: `${SCANS}, and sorts the deliveries of one event` },
  'events.list-of': { may: ['costs', 'sorts'], because: `${SCANS}, and sorts the deliveries of one event` },
  'events.last-looked-at': { may: ['costs'], because: SCANS },
  'feed.find-position-at': { may: ['costs'], because: 'it reads 1,000 events before a time' },
  'feed.last-scanned': { may: ['costs'], because: SCANS },
  'feed.list': { may: ['costs'], because: SCANS },
  'events.purge': { may: ['costs'], because: 'it purges a bounded number, in the background' },
}

/** Days that attempts are kept (setting ATTEMPT_RETENTION_DAYS). */
const DAYS = 30

/** A month of attempts, in a table a day. */
const openDays = async (client: pg.Client) => {
  await client.query('SELECT open_attempts_day(current_date + n) FROM generate_series(2, $1) AS n', [
    DAYS + 1,
  ])
  const { rows } = await client.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'attempts'::regclass",
  )
  return Object.fromEntries(rows.map(({ name }) => [name, ATTEMPTS_SHAPE]))
}

test('reads at most a page in every statement of webhooks, at 50,000,000 deliveries', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
    prepare: openDays,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
