import { describe, expect, it } from '@jest/globals'
import { changeEvents } from './events.ts'
import type { Relationship } from './relationship.ts'

const relationship: Relationship = {
  partnerCustomerId: 'pcu_01k0000000e00800000000000a',
  partnerId: 'prt_01k0000000e00800000000000b',
  merchantId: 'cus_01k0000000e00800000000000c',
  status: 'active',
  granted: ['payments.crypto'],
  suspended: [],
  verification: 'approved',
  agreementRequired: false,
  disputesAboveThreshold: false,
  linkConfirmed: true,
  isErased: false,
  feeHandling: null,
  settlementOption: null,
  version: 1,
}
const namesOf = (before: Relationship | null, after: Relationship) =>
  changeEvents(before, after).map((draft) => draft.name)

describe('the events of a change', () => {
  it('contain only the fact for a new relationship, and nothing for a partner', () => {
    const [fact, ...more] = changeEvents(null, relationship)
    expect(more).toEqual([])
    expect(fact).toMatchObject({ name: 'relationship.changed', partners: [], merchant: null })
    expect(fact?.fact).toMatchObject({ kind: 'relationship', relationship: { version: 1 } })
  })

  it('contain the fact and one event to the partner for a changed capability', () => {
    const after: Relationship = { ...relationship, suspended: ['payments.crypto'], version: 2 }
    expect(changeEvents(relationship, after)[1]).toEqual({
      name: 'capability.updated',
      partners: [
        {
          partner_id: relationship.partnerId,
          partner_customer_id: relationship.partnerCustomerId,
          type: 'capability.updated',
          data: {
            partner_customer_id: relationship.partnerCustomerId,
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

  it('reach the partner of a revocation once, and never afterwards', () => {
    const revoked: Relationship = { ...relationship, status: 'revoked', suspended: ['payouts'] }
    const [, notice, ...more] = changeEvents(relationship, revoked)
    expect(more).toEqual([])
    expect(notice?.partners[0]).toMatchObject({
      type: 'customer.updated',
      data: { partner_customer_id: relationship.partnerCustomerId, relationship_status: 'revoked' },
    })
    expect(namesOf(revoked, { ...revoked, suspended: [] })).toEqual(['relationship.changed'])
  })

  it("include the partner's event with the status for a reinstated relationship", () => {
    const revoked: Relationship = { ...relationship, status: 'revoked' }
    const [, notice] = changeEvents(revoked, relationship)
    expect(notice?.partners[0]).toMatchObject({
      type: 'customer.updated',
      data: {
        partner_customer_id: relationship.partnerCustomerId,
        customer_id: relationship.merchantId,
        relationship_status: 'active',
      },
    })
  })
})
