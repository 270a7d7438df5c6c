import { describe, expect, it } from '@jest/globals'
import { CAPABILITIES } from '@causeway/contracts'
import { capabilitiesOf, capabilityOf, changedCapabilities, inOrder, withGrant } from './capabilities.ts'

const state = {
  granted: ['payments.crypto'],
  suspended: ['refunds'],
  verification: 'approved',
  agreementRequired: false,
  disputesAboveThreshold: false,
  linkConfirmed: true,
} as const

describe('capabilities', () => {
  it('are always listed, all seven, in the order of the specification', () => {
    expect(capabilitiesOf(state).map((listed) => listed.capability)).toEqual(CAPABILITIES)
  })

  it.each([
    ['payments.crypto', { enabled: true, available: true, reason: null }],
    ['payouts', { enabled: false, available: true, reason: null }],
    ['refunds', { enabled: false, available: false, reason: 'suspended' }],
  ] as const)(
    'are enabled by the grant alone and unavailable by suspension alone: %s',
    (capability, seen) => {
      expect(capabilityOf(capability, state)).toEqual({ capability, ...seen })
    },
  )

  it.each([
    ['required', 'verification_required'],
    ['expired', 'verification_expired'],
  ] as const)(
    'are all unavailable while verification is %s, which is named before an agreement',
    (verification, reason) => {
      const unverified = { ...state, verification, agreementRequired: true }
      expect(capabilitiesOf(unverified).filter((listed) => listed.available)).toEqual([])
      expect(capabilityOf('payouts', unverified).reason).toBe(reason)
      expect(capabilityOf('refunds', unverified).reason).toBe('suspended')
    },
  )

  it('are all unavailable while an agreement is required; a suspension takes precedence as the reason', () => {
    const required = { ...state, agreementRequired: true }
    expect(capabilitiesOf(required).filter((listed) => listed.available)).toEqual([])
    expect(capabilityOf('payouts', required).reason).toBe('agreement_required')
    expect(capabilityOf('refunds', required).reason).toBe('suspended')
  })

  it('lose only payments.fiat_card by too many disputes; every other reason takes precedence', () => {
    const disputed = { ...state, suspended: [], disputesAboveThreshold: true } as const
    const unavailable = capabilitiesOf(disputed).filter((listed) => !listed.available)
    expect(unavailable).toEqual([
      { capability: 'payments.fiat_card', enabled: false, available: false, reason: 'chargeback_threshold' },
    ])
    const required = { ...disputed, agreementRequired: true }
    expect(capabilityOf('payments.fiat_card', required).reason).toBe('agreement_required')
  })

  it('count as changed only where the API object differs', () => {
    const after = {
      granted: ['payments.crypto', 'wallets'],
      suspended: ['payments.crypto', 'refunds'],
      verification: 'approved',
      agreementRequired: false,
      disputesAboveThreshold: false,
      linkConfirmed: true,
    } as const
    expect(changedCapabilities(state, after)).toEqual([
      { capability: 'payments.crypto', enabled: true, available: false, reason: 'suspended' },
      { capability: 'wallets', enabled: true, available: true, reason: null },
    ])
    expect(changedCapabilities(state, { ...state })).toEqual([])
  })

  it('are stored once each, in order', () => {
    expect(inOrder(['refunds', 'payouts', 'refunds', 'payments.crypto'])).toEqual([
      'payments.crypto',
      'payouts',
      'refunds',
    ])
  })

  it('are granted and withdrawn one at a time', () => {
    expect(withGrant(['refunds'], 'payments.crypto', true)).toEqual(['payments.crypto', 'refunds'])
    expect(withGrant(['payments.crypto', 'refunds'], 'refunds', false)).toEqual(['payments.crypto'])
  })
})
