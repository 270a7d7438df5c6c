import { refuse } from '@causeway/chassis'
import type { Refusal } from '@causeway/contracts'
import type { RelationshipStatus } from '../relationship-state/relationship.ts'

/** A relationship of the partner that shares the external id or the e-mail address of a sign-up. */
export type Link = Readonly<{
  external_customer_id: string
  same_email: boolean
  relationship_status: RelationshipStatus
}>

/** Addresses are compared case-insensitively (decisions §3). */
export const emailKey = (email: string): string => email.toLowerCase()

/**
 * Judges a sign-up by the partner's own relationships that it meets (decisions §3).
 * @returns the existing relationship to answer with, a refusal, or null when nothing stands in the way
 */
export const judgeSignUp = <L extends Link>(
  links: readonly L[],
  externalCustomerId: string,
): Readonly<{ ok: true; value: L }> | Refusal<'external_id_conflict' | 'relationship_conflict'> | null => {
  const named = links.find((link) => link.external_customer_id === externalCustomerId)
  if (!named) return links.some((link) => link.same_email) ? refuse('relationship_conflict') : null
  if (!named.same_email) return refuse('external_id_conflict')
  return named.relationship_status === 'active' ? { ok: true, value: named } : refuse('relationship_conflict')
}
