import { expect, test } from '@jest/globals'
import type { AuditEntry } from '@causeway/contracts'
import type { z } from 'zod'
import type { StaffRequest } from './frame.ts'
import { historyOf, readStaffActions } from './history.ts'

type Entry = z.output<typeof AuditEntry>

const entry = (at: string, values: Partial<Entry>): Entry => ({
  entry_id: 'aud_1',
  at,
  actor: 'stk_1',
  actor_name: 'Alice Ops',
  action: 'onboarding.relationships.revoke',
  target: 'pcu_1',
  before: { status: 'active' },
  after: { status: 'revoked' },
  request_id: 'req_1',
  ...values,
})

/** An audit log of pages, and what was asked of it. */
const logOf = (pages: readonly (readonly Entry[])[]) => {
  const asked: unknown[] = []
  const ask = (_: unknown, { query }: { query: { cursor?: string } }) => {
    asked.push(query)
    const page = Number(query.cursor ?? 0)
    const next = page + 1 < pages.length ? String(page + 1) : null
    return Promise.resolve({ ok: true, value: { entries: pages[page], next_cursor: next } })
  }
  return { asked, request: { ask } as unknown as Pick<StaffRequest, 'ask'> }
}
const textOf = (html: unknown) =>
  String(html)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('lists what staff did, by whom and with what outcome, without their reads', async () => {
  const { request, asked } = logOf([
    [
      entry('2026-11-04T10:00:00.000Z', {
        after: { outcome: 'refused', code: 'invalid_state' },
        before: null,
      }),
      entry('2026-11-03T10:00:00.000Z', { before: null, after: null, action: 'onboarding.reviews.get' }),
    ],
    [
      entry('2026-11-02T11:00:00.000Z', { after: { outcome: 'held' }, before: null }),
      entry('2026-11-02T10:00:00.000Z', { actor: 'oidc:<ada>', actor_name: null }),
      entry('2026-11-01T09:00:00.000Z', { after: { outcome: 'started' }, before: null }),
    ],
  ])
  const actions = await readStaffActions(request, 'pcu_1')
  expect(asked).toEqual([
    { target: 'pcu_1', order: 'newest', limit: 50 },
    { target: 'pcu_1', order: 'newest', limit: 50, cursor: '1' },
  ])
  const moments = [{ at: '2026-11-01T10:00:00.000Z', title: 'Linked by its partner' }]
  const text = textOf(historyOf('pcu_1', moments, actions))
  expect(text.indexOf('outcome not recorded')).toBeLessThan(text.indexOf('Linked by its partner'))
  expect(text.indexOf('Linked by its partner')).toBeLessThan(text.indexOf('by oidc:&lt;ada&gt;'))
  expect(text.indexOf('by oidc:&lt;ada&gt;')).toBeLessThan(text.indexOf('refused: invalid_state'))
  expect(text.match(/Revoke a relationship/g)).toHaveLength(4)
  expect(text).toContain('requested by Alice Ops stk_1 , needs a second person')
  expect(text).not.toMatch(/Get a case|may be missing/)
})

test('states that earlier actions may be missing when it reads only a part of a long log', async () => {
  const { request, asked } = logOf(Array.from({ length: 6 }, () => []))
  const actions = await readStaffActions(request, 'ord_1')
  expect(asked).toHaveLength(4)
  expect(textOf(historyOf('ord_1', [], actions))).toContain('Earlier staff actions may be missing here.')
})
