import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { SHAPES } from './shapes.ts'

const ALLOWANCES: PlanAllowances = {
  'client-assertions.forget': {
    may: ['costs', 'collects'],
    because: 'it purges what has expired since the round before',
  },
  'pending-actions.expire': {
    may: ['collects'],
    because: 'it ends what has expired since the round before',
  },
  'pending-actions.purge': {
    may: ['collects'],
    because: 'it purges what has expired since the round before',
  },
  'pending-actions.list-waiting-of-target': {
    may: ['sorts'],
    because: 'few actions wait, each for at most 72 hours',
  },
  'pending-actions.list-decided-of-target': {
    may: ['sorts', 'collects'],
    because: 'few are kept: decided actions are purged',
  },
  'portal-links.purge': {
    may: ['collects'],
    because: 'it purges what has expired since the round before',
  },
  'mails.purge': {
    may: ['costs', 'collects'],
    because: 'it purges what has expired since the round before',
  },
  'known-browsers.purge': {
    may: ['costs', 'collects'],
    because: 'it purges what has expired since the round before',
  },
  'notices.purge': {
    may: ['costs', 'collects'],
    because: 'it purges what has expired since the round before',
  },
  'sign-in-requests.purge': {
    may: ['collects'],
    because: 'it purges what has expired since the round before',
  },
  'sign-in-requests.lock-waiting': {
    may: ['reads all'],
    because: 'its index holds what waits, which is handled within seconds',
  },
  'sessions.purge': {
    may: ['collects'],
    because: 'it purges what has expired since the round before',
  },
  'sessions.list': {
    may: ['sorts', 'collects'],
    because: 'live sessions are those of twelve hours: hundreds',
  },
  'sessions.end-stale': {
    may: ['reads all'],
    because: 'it looks at every live session in each round',
  },
  'revoked-tokens.forget': {
    may: ['costs', 'collects'],
    because: 'it purges what has expired since the round before',
  },
  'registry.keys-revoked': {
    may: ['costs', 'collects'],
    because: 'it reads what was revoked since the last look',
  },
  'registry.clients-changed': { may: ['collects'], because: 'it reads what has changed since the last look' },
}

test('reads at most a page in every statement of access, at 10,000,000 audit records', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
