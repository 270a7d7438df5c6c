import {
  CAPABILITIES,
  type Capability,
  type CapabilityName,
  type UnavailableReason,
} from '@causeway/contracts'
import type { MerchantVerification } from '../verifications/case.ts'

/** What decides over a relationship's capabilities. Its grants and agreements are its own, the rest is the merchant's. */
export type Standing = Readonly<{
  granted: readonly CapabilityName[]
  /** Whether the relationship shares what belongs to the merchant (decisions §18). */
  link_confirmed: boolean
  /** Capabilities of the merchant that staff have suspended. */
  suspended: readonly CapabilityName[]
  /** What the merchant's case says. */
  verification: MerchantVerification
  /** Whether a current agreement is not accepted. */
  agreement_required: boolean
  /** Whether the merchant's disputes have passed the chargeback threshold. */
  disputes_over: boolean
}>

type Rule = Readonly<{
  reason: UnavailableReason
  applies: (capability: CapabilityName, standing: Standing) => boolean
}>

/** Judged in this order; the first that applies is the reason (decisions §4). */
const RULES: readonly Rule[] = [
  { reason: 'link_unconfirmed', applies: (_, standing) => !standing.link_confirmed },
  { reason: 'suspended', applies: (capability, { suspended }) => suspended.includes(capability) },
  { reason: 'verification_required', applies: (_, { verification }) => verification === 'required' },
  { reason: 'verification_expired', applies: (_, { verification }) => verification === 'expired' },
  { reason: 'agreement_required', applies: (_, standing) => standing.agreement_required },
  {
    reason: 'chargeback_threshold',
    applies: (capability, standing) => capability === 'payments.fiat_card' && standing.disputes_over,
  },
]

/** One capability as its reader sees it: `enabled` by the grant, `available` by the merchant's standing. */
export const capabilityOf = (capability: CapabilityName, standing: Standing): Capability => {
  const reason = RULES.find((rule) => rule.applies(capability, standing))?.reason ?? null
  return { capability, enabled: standing.granted.includes(capability), available: reason === null, reason }
}

/** All seven, in the order of the specification. */
export const capabilitiesOf = (standing: Standing): Capability[] =>
  CAPABILITIES.map((capability) => capabilityOf(capability, standing))

/** Those that read differently after a change, whatever caused it, as they read now. */
export const changedCapabilities = (before: Standing, after: Standing): Capability[] =>
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
