import { STAFF_ROLES, type StaffRole } from '@causeway/contracts'

/** A member of the staff, as the identity provider vouches for it. @param actor as the audit log names the person */
export type Person = Readonly<{ actor: string; role: StaffRole }>

/** Printable ASCII, as OpenID Connect Core (section 2) bounds a subject, without white space. */
const SUBJECT = /^[!-~]{1,255}$/

/** Returns the highest known role of the claim `roles`; null without one. */
export const roleOf = (claim: unknown): StaffRole | null => {
  const named = [claim].flat()
  return STAFF_ROLES.findLast((role) => named.includes(role)) ?? null
}

/**
 * Whom an ID token speaks of. The audit log names the person by its subject: the one claim that stays the same and
 * belongs to nobody else (OpenID Connect Core, section 5.7), and no more than is needed.
 * @returns why it opens no session: `refused` for a subject that cannot be a name, `no_role` without a known role
 */
export const personOf = (claims: Readonly<Record<string, unknown>>): Person | 'refused' | 'no_role' => {
  const { sub: subject, roles } = claims
  if (typeof subject !== 'string' || !SUBJECT.test(subject)) return 'refused'
  const role = roleOf(roles)
  return role === null ? 'no_role' : { actor: `oidc:${subject}`, role }
}
