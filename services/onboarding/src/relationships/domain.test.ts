import { describe, expect, it } from '@jest/globals'
import type { Relationship } from '../relationship-state/relationship.ts'
import { checkStatusChange } from './domain.ts'

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

describe('a change of a relationship’s status', () => {
  it('is refused with from and to if it is the present status', () => {
    expect(checkStatusChange(relationship, 'active')).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'active', to: 'active' }],
    })
  })

  it('is accepted to the other status', () => {
    expect(checkStatusChange(relationship, 'revoked')).toBeNull()
  })
})
