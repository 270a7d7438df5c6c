import {
  CAPABILITIES,
  type Capability,
  type CapabilityName,
  type UnavailableReason,
} from '@causeway/contracts'
import type { MerchantVerification } from '../merchants/domain.ts'

/** Facts from which a relationship's capabilities are derived. Grants and agreements are per relationship, the rest per merchant. */
export type CapabilityState = Readonly<{
  granted: readonly CapabilityName[]
  /** True if the relationship shares the merchant's data (decisions §18). */
  linkConfirmed: boolean
  /** Capabilities of the merchant that staff have suspended. */
  suspended: readonly CapabilityName[]
  verification: MerchantVerification
  /** True if a current agreement is not accepted. */
  agreementRequired: boolean
  /** True if the merchant's disputes are above the chargeback threshold. */
  disputesAboveThreshold: boolean
}>

type Rule = Readonly<{
  reason: UnavailableReason
  applies: (capability: CapabilityName, state: CapabilityState) => boolean
}>

/** The first rule that applies gives the reason (decisions §4). */
const RULES: readonly Rule[] = [
  { reason: 'link_unconfirmed', applies: (_, { linkConfirmed }) => !linkConfirmed },
  { reason: 'suspended', applies: (capability, { suspended }) => suspended.includes(capability) },
  { reason: 'verification_required', applies: (_, { verification }) => verification === 'required' },
  { reason: 'verification_expired', applies: (_, { verification }) => verification === 'expired' },
  { reason: 'agreement_required', applies: (_, { agreementRequired }) => agreementRequired },
  {
    reason: 'chargeback_threshold',
    applies: (capability, { disputesAboveThreshold }) =>
      capability === 'payments.fiat_card' && disputesAboveThreshold,
  },
]

/** One capability as the API shows it: `enabled` by the grant, `available` by everything else. */
export const capabilityOf = (capability: CapabilityName, state: CapabilityState): Capability => {
  const reason = RULES.find((rule) => rule.applies(capability, state))?.reason ?? null
  return { capability, enabled: state.granted.includes(capability), available: reason === null, reason }
}

/** All seven, in the order of the specification. */
export const capabilitiesOf = (state: CapabilityState): Capability[] =>
  CAPABILITIES.map((capability) => capabilityOf(capability, state))

/** The capabilities whose API object differs between two states, as they are after the change. */
export const changedCapabilities = (before: CapabilityState, after: CapabilityState): Capability[] =>
  capabilitiesOf(after).filter((now) => {
    const was = capabilityOf(now.capability, before)
    return was.enabled !== now.enabled || was.available !== now.available || was.reason !== now.reason
  })

/** A set of capabilities in the specification's order, each once. */
export const inOrder = (names: readonly CapabilityName[]): CapabilityName[] =>
  CAPABILITIES.filter((capability) => names.includes(capability))

/** The grants after one was given or withdrawn. */
export const withGrant = (
  granted: readonly CapabilityName[],
  capability: CapabilityName,
  enabled: boolean,
): CapabilityName[] =>
  inOrder(enabled ? [...granted, capability] : granted.filter((name) => name !== capability))
