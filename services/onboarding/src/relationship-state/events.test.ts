import { describe, expect, it } from '@jest/globals'
import { announcementsOf } from './events.ts'
import type { Relationship } from './relationship.ts'
import { moveTo } from './relationship.ts'

const relationship: Relationship = {
  partner_customer_id: 'pcu_01k0000000e00800000000000a',
  partner_id: 'prt_01k0000000e00800000000000b',
  customer_id: 'cus_01k0000000e00800000000000c',
  status: 'active',
  granted: ['payments.crypto'],
  suspended: [],
  verification: 'approved',
  agreement_required: false,
  disputes_over: false,
  link_confirmed: true,
  version: 1,
}
const namesOf = (before: Relationship | null, after: Relationship) =>
  announcementsOf(before, after).map((draft) => draft.name)

describe('announcements', () => {
  it('of a new relationship are the fact alone, told to no partner', () => {
    const [fact, ...more] = announcementsOf(null, relationship)
    expect(more).toEqual([])
    expect(fact).toMatchObject({ name: 'relationship.changed', partners: [], merchant: null })
    expect(fact?.fact).toMatchObject({ kind: 'relationship', relationship: { version: 1 } })
  })

  it('of a capability that reads differently are the fact and one notice to the partner', () => {
    const after: Relationship = { ...relationship, suspended: ['payments.crypto'], version: 2 }
    expect(announcementsOf(relationship, after)[1]).toEqual({
      name: 'capability.updated',
      partners: [
        {
          partner_id: relationship.partner_id,
          partner_customer_id: relationship.partner_customer_id,
          type: 'capability.updated',
          data: {
            partner_customer_id: relationship.partner_customer_id,
            capability: 'payments.crypto',
            enabled: true,
            available: false,
            reason: 'suspended',
          },
        },
      ],
      merchant: null,
      fact: null,
    })
    expect(namesOf(relationship, after)).toEqual(['relationship.changed', 'capability.updated'])
  })

  it('of a revoked relationship never reach its partner', () => {
    const revoked: Relationship = { ...relationship, status: 'revoked' }
    expect(namesOf(relationship, revoked)).toEqual(['relationship.changed'])
    expect(namesOf(revoked, { ...revoked, suspended: ['payouts'] })).toEqual(['relationship.changed'])
  })

  it('of a reinstated relationship tell its partner the status', () => {
    const revoked: Relationship = { ...relationship, status: 'revoked' }
    const [, notice] = announcementsOf(revoked, relationship)
    expect(notice?.partners[0]).toMatchObject({
      type: 'customer.updated',
      data: {
        partner_customer_id: relationship.partner_customer_id,
        customer_id: relationship.customer_id,
        relationship_status: 'active',
      },
    })
  })
})

describe('a move of a relationship', () => {
  it('to the status it has is refused with from and to', () => {
    expect(moveTo(relationship, 'active')).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'active', to: 'active' }],
    })
  })

  it('to the other status is taken', () => {
    expect(moveTo(relationship, 'revoked')).toEqual({
      ok: true,
      value: { ...relationship, status: 'revoked' },
    })
  })
})
