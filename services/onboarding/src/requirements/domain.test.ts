import { describe, expect, it } from '@jest/globals'
import { RequirementStatus } from '@causeway/contracts'
import type { Relationship } from '../relationship-state/relationship.ts'
import {
  judgeMove,
  judgeRaise,
  requirementNotices,
  seenBy,
  type HeldRequirement,
  type Party,
} from './domain.ts'

const [A, B] = ['prt_01k0000000e00800000000000a', 'prt_01k0000000e00800000000000b'] as const
const SERVICE: Party = null
const STATUSES = RequirementStatus.options

describe('a move of a requirement', () => {
  const parties = [
    ['the partner that raised it', A, A],
    ['another partner', A, B],
    ['staff, of what a partner raised', A, SERVICE],
    ['staff, of what the platform raised', SERVICE, SERVICE],
    ['a partner, of what the platform raised', SERVICE, A],
  ] as const
  const pairs = parties.flatMap(([who, raisedBy, party]) =>
    STATUSES.flatMap((from) => STATUSES.map((to) => ({ who, raisedBy, party, from, to }))),
  )

  it.each(pairs)('by $who, from $from to $to', ({ raisedBy, party, from, to }) => {
    const isRaiser = raisedBy === party
    const allowed =
      (from === 'open' && to === 'fulfilled') ||
      (from === 'fulfilled' && to === 'satisfied' && isRaiser) ||
      (from === 'open' && to === 'cancelled' && isRaiser)
    expect(judgeMove({ status: from, raised_by: raisedBy }, to, party)).toEqual(
      allowed ? null : { ok: false, code: 'invalid_state', details: [{ from, to }] },
    )
  })
})

it('a party may have 50 open, a partner raise 1,000 in all, and no more', () => {
  expect(judgeRaise(null, { open: 49, total: 5_000 })).toBeNull()
  expect(judgeRaise(null, { open: 50, total: 50 })).toEqual({ ok: false, code: 'limit_reached' })
  expect(judgeRaise('prt_1', { open: 49, total: 999 })).toBeNull()
  expect(judgeRaise('prt_1', { open: 50, total: 999 })).toEqual({ ok: false, code: 'limit_reached' })
  expect(judgeRaise('prt_1', { open: 0, total: 1_000 })).toEqual({
    ok: false,
    code: 'limit_reached',
    details: [{ resource: 'requirements', limit: 1_000 }],
  })
})

const held: HeldRequirement = {
  requirement_id: 'rqm_01k0000000e00800000000000c',
  kind: 'document',
  target: 'director.0',
  document_type: 'director_id',
  message: 'Send a clearer copy',
  status: 'fulfilled',
  raised_by: A,
  document_id: 'doc_01k0000000e00800000000000d',
  document_partner_id: B,
  due_at: null,
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: null,
  resolved_at: null,
}

describe('a requirement is told from its reader’s side', () => {
  it.each([
    ['its raiser', A, held, 'you', null],
    ['the partner whose document fulfils it', B, held, 'partner', held.document_id],
    ['staff', SERVICE, held, 'partner', held.document_id],
    ['a partner, when the platform raised it', B, { ...held, raised_by: null }, 'service', held.document_id],
    [
      'staff, when the platform raised it',
      SERVICE,
      { ...held, raised_by: null },
      'service',
      held.document_id,
    ],
  ] as const)('to %s', (_who, reader, requirement, raisedBy, documentId) => {
    const seen = seenBy(reader, requirement)
    expect(seen).toMatchObject({ raised_by: raisedBy, document_id: documentId })
    expect(Object.keys(seen)).not.toContain('document_partner_id')
  })

  it('in events too, which go to active relationships alone', () => {
    const relationship = (partner: string, status: 'active' | 'revoked'): Relationship => ({
      partner_customer_id: `pcu_${partner.slice(4)}`,
      partner_id: partner,
      customer_id: 'cus_01k0000000e00800000000000c',
      status,
      granted: [],
      suspended: [],
      verification: 'required',
      agreement_required: false,
      disputes_over: false,
      link_confirmed: true,
      version: 1,
    })
    const told = (status: 'active' | 'revoked') =>
      requirementNotices('requirement.created', held, [
        relationship(A, 'active'),
        relationship(B, status),
      ]).map((draft) =>
        draft.partners.map(({ partner_id, data }) => [partner_id, data['raised_by'], data['message']]),
      )
    expect(told('revoked')).toEqual([[[A, 'you', held.message]]])
    expect(told('active')).toEqual([[[A, 'you', held.message]], [[B, 'partner', held.message]]])
  })
})
