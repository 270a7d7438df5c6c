import { refuse } from '@causeway/chassis'
import type { Refusal, RelationshipStatus } from '@causeway/contracts'

/** A relationship of the partner that has the external id or the e-mail address of a sign-up. */
export type Link = Readonly<{
  externalCustomerId: string
  sameEmail: boolean
  relationshipStatus: RelationshipStatus
}>

/** Addresses are compared case-insensitively (decisions §3). */
export const emailKey = (email: string): string => email.toLowerCase()

/**
 * Checks a sign-up against the partner's own relationships (decisions §3).
 * @returns the existing relationship to answer with, a refusal, or null for a new relationship
 */
export const matchSignUp = <L extends Link>(
  links: readonly L[],
  externalCustomerId: string,
): Readonly<{ ok: true; value: L }> | Refusal<'external_id_conflict' | 'relationship_conflict'> | null => {
  const named = links.find((link) => link.externalCustomerId === externalCustomerId)
  if (!named) return links.some((link) => link.sameEmail) ? refuse('relationship_conflict') : null
  if (!named.sameEmail) return refuse('external_id_conflict')
  return named.relationshipStatus === 'active' ? { ok: true, value: named } : refuse('relationship_conflict')
}
