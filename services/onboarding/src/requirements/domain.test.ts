import { describe, expect, it } from '@jest/globals'
import { RequirementStatus } from '@causeway/contracts'
import type { Relationship } from '../relationship-state/relationship.ts'
import { checkRaise, checkTransition, type Party } from './domain.ts'
import { requirementEvents } from './events.ts'
import { presentRequirement } from './presentation.ts'
import type { RequirementRow } from './store.ts'

const [A, B] = ['prt_01k0000000e00800000000000a', 'prt_01k0000000e00800000000000b'] as const
const SERVICE: Party = null
const STATUSES = RequirementStatus.options

describe('a transition of a requirement', () => {
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

  it.each(pairs)('is decided for $who, from $from to $to', ({ raisedBy, party, from, to }) => {
    const isRaiser = raisedBy === party
    const allowed =
      (from === 'open' && to === 'fulfilled') ||
      (from === 'fulfilled' && to === 'satisfied' && isRaiser) ||
      (from === 'open' && to === 'cancelled' && isRaiser)
    expect(checkTransition({ status: from, raisedBy }, to, party)).toEqual(
      allowed ? null : { ok: false, code: 'invalid_state', details: [{ from, to }] },
    )
  })
})

it('allows a party at most 50 open requirements, and a partner at most 1,000 in total', () => {
  expect(checkRaise(null, { open: 49, total: 5_000 })).toBeNull()
  expect(checkRaise(null, { open: 50, total: 50 })).toEqual({ ok: false, code: 'limit_reached' })
  expect(checkRaise('prt_1', { open: 49, total: 999 })).toBeNull()
  expect(checkRaise('prt_1', { open: 50, total: 999 })).toEqual({ ok: false, code: 'limit_reached' })
  expect(checkRaise('prt_1', { open: 0, total: 1_000 })).toEqual({
    ok: false,
    code: 'limit_reached',
    details: [{ resource: 'requirements', limit: 1_000 }],
  })
})

const row: RequirementRow = {
  requirementId: 'rqm_01k0000000e00800000000000c',
  merchantId: 'cus_01k0000000e00800000000000c',
  kind: 'document',
  target: 'director.0',
  documentType: 'director_id',
  message: 'Send a clearer copy',
  status: 'fulfilled',
  raisedBy: A,
  documentId: 'doc_01k0000000e00800000000000d',
  documentPartnerId: B,
  dueAt: null,
  createdAt: new Date('2026-11-21T10:00:00.000Z'),
  updatedAt: null,
  resolvedAt: null,
}

describe("a requirement presented from its reader's side", () => {
  it.each([
    ['its raiser', A, row, 'you', null],
    ['the partner whose document fulfils it', B, row, 'partner', row.documentId],
    ['staff', SERVICE, row, 'partner', row.documentId],
    ['a partner, when the platform raised it', B, { ...row, raisedBy: null }, 'service', row.documentId],
    ['staff, when the platform raised it', SERVICE, { ...row, raisedBy: null }, 'service', row.documentId],
  ] as const)('is correct for %s', (_who, reader, requirement, raisedBy, documentId) => {
    const seen = presentRequirement(requirement, reader)
    expect(seen).toMatchObject({ raised_by: raisedBy, document_id: documentId })
    expect(Object.keys(seen)).not.toContain('document_partner_id')
  })

  it('is used in events too, which go only to active relationships', () => {
    const relationship = (partner: string, status: 'active' | 'revoked'): Relationship => ({
      partnerCustomerId: `pcu_${partner.slice(4)}`,
      partnerId: partner,
      merchantId: 'cus_01k0000000e00800000000000c',
      status,
      granted: [],
      suspended: [],
      verification: 'required',
      agreementRequired: false,
      disputesAboveThreshold: false,
      linkConfirmed: true,
      isErased: false,
      feeHandling: null,
      settlementOption: null,
      version: 1,
    })
    const emitted = (status: 'active' | 'revoked') =>
      requirementEvents('requirement.created', row, [relationship(A, 'active'), relationship(B, status)]).map(
        (draft) => draft.partners.map(({ partner_id, data }) => [partner_id, data.raised_by, data.message]),
      )
    expect(emitted('revoked')).toEqual([[[A, 'you', row.message]]])
    expect(emitted('active')).toEqual([[[A, 'you', row.message]], [[B, 'partner', row.message]]])
  })
})
