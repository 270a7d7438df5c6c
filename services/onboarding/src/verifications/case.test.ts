import { describe, expect, it } from '@jest/globals'
import { approve, checkUnmodified, checkWrite, reject, submit, timeOfWrite, type CaseState } from './case.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const BEFORE = new Date('2026-11-20T10:00:00.000Z')
const state = (over: Partial<CaseState>): CaseState => ({
  status: 'draft',
  verification: 'required',
  outstanding: 0,
  ...over,
})
const attempt = { ok: true, value: 'attempt' }
const present = { ok: true, value: 'present' }
const refused = (from: string) => ({ ok: false, code: 'invalid_state', details: [{ from, to: 'pending' }] })
const expired = { status: 'approved', verification: 'expired' } as const
const approvedCase = { status: 'approved', verification: 'approved' } as const

describe('a POST', () => {
  it.each<[string, CaseState | null, unknown, unknown]>([
    ['before any', null, attempt, attempt],
    ['on a draft', state({}), attempt, attempt],
    ['on a pending case', state({ status: 'pending' }), refused('pending'), present],
    ['on a pending case with a requirement', state({ status: 'pending', outstanding: 1 }), attempt, present],
    ['on a rejected case', state({ status: 'rejected' }), attempt, attempt],
    ['on an approved case', state(approvedCase), refused('approved'), present],
    [
      'on an approved case with a requirement',
      state({ ...approvedCase, outstanding: 1 }),
      refused('approved'),
      present,
    ],
    ['on a case whose approval has run out', state(expired), attempt, attempt],
  ])('is accepted or refused with data and without: %s', (_what, before, withData, without) => {
    expect(checkWrite(before, false)).toEqual(withData)
    expect(checkWrite(before, true)).toEqual(without)
  })
})

const pending = {
  status: 'pending',
  rejectionReason: null,
  submittedAt: BEFORE,
  reviewedAt: null,
  expiresAt: null,
} as const
const inQueue = { ...pending, statusSince: BEFORE, version: 3 } as const
const edited = { ...inQueue, statusSince: NOW, version: 4 } as const

describe('a complete submission', () => {
  it.each([state({}), state({ status: 'rejected' }), state(expired)])('makes %j pending', (before) => {
    expect(submit(before, NOW)).toEqual({ ...pending, submittedAt: NOW })
  })

  it.each([state({ status: 'pending' }), state(approvedCase)])('leaves %j unchanged', (before) => {
    expect(submit(before, NOW)).toBeNull()
  })
})

describe('a review', () => {
  const review = { now: NOW, timeToLiveMs: 86_400_000, version: undefined }

  it('approves a pending case until its expiry, and rejects one with a reason', () => {
    expect(approve(inQueue, null, review)).toEqual({
      ok: true,
      value: {
        ...inQueue,
        status: 'approved',
        reviewedAt: NOW,
        expiresAt: new Date('2026-11-22T10:00:00.000Z'),
      },
    })
    expect(reject(inQueue, { reason: 'ownership_unclear', version: undefined, now: NOW })).toEqual({
      ok: true,
      value: { ...inQueue, status: 'rejected', rejectionReason: 'ownership_unclear', reviewedAt: NOW },
    })
  })

  it.each(['draft', 'approved', 'rejected'] as const)('refuses a case that is %s', (status) => {
    const refusedTo = (to: string) => ({ ok: false, code: 'invalid_state', details: [{ from: status, to }] })
    expect(approve({ ...inQueue, status }, null, review)).toEqual(refusedTo('approved'))
    expect(reject({ ...inQueue, status }, { reason: 'other', version: undefined, now: NOW })).toEqual(
      refusedTo('rejected'),
    )
  })

  it.each(['submission_incomplete', 'agreement_required'] as const)('approves nothing while %s', (gate) => {
    expect(approve(inQueue, gate, review)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'pending', to: 'approved', reason: gate }],
    })
  })

  const modified = (to: string, version: number, editedAt: Date | null) => ({
    ok: false,
    code: 'invalid_state',
    details: [
      {
        from: 'pending',
        to,
        reason: 'modified',
        version,
        edited_at: editedAt?.toISOString() ?? null,
        expected: 'the version of the case that you have read',
      },
    ],
  })

  it('decides only the version that the reviewer has read', () => {
    expect(approve(edited, null, { ...review, version: 4 }).ok).toBe(true)
    expect(approve(edited, null, { ...review, version: 3 })).toEqual(modified('approved', 4, NOW))
    expect(approve(inQueue, null, { ...review, version: 2 })).toEqual(modified('approved', 3, null))
    expect(reject(edited, { reason: 'other', version: 4, now: NOW }).ok).toBe(true)
    expect(reject(edited, { reason: 'other', version: 3, now: NOW })).toEqual(modified('rejected', 4, NOW))
  })

  it('approves a case that was edited after its submission only with a version, and rejects it without', () => {
    expect(approve(edited, null, review)).toEqual(modified('approved', 4, NOW))
    expect(reject(edited, { reason: 'other', version: undefined, now: NOW }).ok).toBe(true)
  })
})

describe('a write with a precondition', () => {
  const at = (ms: number) => new Date(NOW.getTime() + ms)
  const own = { createdAt: at(0), updatedAt: at(5) }
  const shared = { status: 'rejected', submittedAt: at(2), reviewedAt: at(9) } as const
  const refusedSince = (from: string, ms: number) => ({
    ok: false,
    code: 'invalid_state',
    details: [{ from, to: 'pending', reason: 'modified', modified_at: at(ms).toISOString() }],
  })

  it.each<[string, Parameters<typeof checkUnmodified>, unknown]>([
    ['without a precondition', [undefined, own, shared], null],
    ['made from the newest state', [at(9).toISOString(), own, shared], null],
    ['made before the decision', [at(8).toISOString(), own, shared], refusedSince('rejected', 9)],
    ['made before the last write', [at(4).toISOString(), own, null], refusedSince('draft', 5)],
    ['made before the first write', [new Date(0).toISOString(), own, null], refusedSince('draft', 5)],
    [
      'that is the first, of a case that others have submitted',
      [new Date(0).toISOString(), null, shared],
      null,
    ],
  ])('is checked: one %s', (_, input, outcome) => {
    expect(checkUnmodified(...input)).toEqual(outcome)
  })

  it('happens later than all earlier writes, even if the clock says otherwise', () => {
    expect(timeOfWrite(null, shared, NOW)).toEqual(NOW)
    expect(timeOfWrite(own, shared, at(5))).toEqual(at(10))
    expect(timeOfWrite(own, shared, at(11))).toEqual(at(11))
  })
})
