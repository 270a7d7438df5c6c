import type { PayoutWalletStatus } from '@causeway/contracts'

/** The parts of a payout wallet that decide about its use. */
export type Standing = Readonly<{
  status: PayoutWalletStatus
  confirmedAt: Date | null
  provedAt: Date | null
  usableFrom: Date
}>

/** The platform's rules for new destinations. */
export type WalletRules = Readonly<{
  /** A destination that can be proved must be. */
  requiresProof: boolean
  /** Time after which a new destination can be used. */
  waitMs: number
}>

/** The standing of a new destination. */
export const newStanding = (
  { requiresProof, waitMs }: WalletRules,
  isProvable: boolean,
  now: Date,
): Standing => ({
  status: requiresProof && isProvable ? 'proof_required' : 'waiting',
  confirmedAt: null,
  provedAt: null,
  usableFrom: new Date(now.getTime() + waitMs),
})

/** Moves a destination on that staff or its owner has vouched for. */
const settled = (standing: Standing, now: Date): Standing => {
  const isVouched = standing.confirmedAt !== null || standing.provedAt !== null
  const isDue = standing.usableFrom.getTime() <= now.getTime()
  return standing.status === 'waiting' && isVouched && isDue ? { ...standing, status: 'active' } : standing
}

/** The standing once its owner has proved it; null for one that was refused. Repeated, it changes nothing. */
export const proved = (standing: Standing, now: Date): Standing | null => {
  if (standing.status === 'refused') return null
  const status = standing.status === 'proof_required' ? 'waiting' : standing.status
  return settled({ ...standing, status, provedAt: standing.provedAt ?? now }, now)
}

/** The standing once staff have confirmed it; null where proof is required, and for one that was refused. */
export const confirmed = (standing: Standing, now: Date): Standing | null =>
  standing.status === 'refused' || standing.status === 'proof_required'
    ? null
    : settled({ ...standing, confirmedAt: standing.confirmedAt ?? now }, now)

/** Shortens an address to its first six and its last four characters. */
export const maskAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** A destination as the message names it that its owner signs. */
export type Proved = Readonly<{
  payoutWalletId: string
  partnerCustomerId: string
  unit: string
  address: string
}>

/**
 * The message that the owner of an address signs. It names the platform, the wallet, the relationship and the address: a
 * signature is good for one of each. One line of ASCII, which hardware wallets show whole.
 */
export const proofMessage = (
  { payoutWalletId, partnerCustomerId, unit, address }: Proved,
  publicBaseUrl: string,
): string =>
  `Pay out ${unit} of ${partnerCustomerId} at ${publicBaseUrl} to ${address} (payout wallet ${payoutWalletId})`
