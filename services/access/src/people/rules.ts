import type { PortalRole } from '@causeway/contracts'

/** A person as far as the rules need one. */
export type PersonState = Readonly<{ personId: string; role: PortalRole; isAccepted: boolean }>

/** Time during which an invitation is not replaced, so that nobody is sent many mails. */
export const INVITATION_REST_MS = 60_000

const isOwner = ({ role, isAccepted }: PersonState): boolean => role === 'owner' && isAccepted

/** True if a person is the only owner who has accepted. */
export const isLastOwner = (people: readonly PersonState[], personId: string): boolean => {
  const owners = people.filter(isOwner)
  return owners.length === 1 && owners[0]?.personId === personId
}

/** Why a person cannot be removed; null: the person can. Staff may remove the last owner once nobody else is left. */
export const judgeRemoval = (
  people: readonly PersonState[],
  { personId, isByStaff }: Readonly<{ personId: string; isByStaff: boolean }>,
): 'last_owner' | null =>
  isLastOwner(people, personId) && !(isByStaff && people.length === 1) ? 'last_owner' : null

/** Why a person cannot have a role; null: the person can. */
export const judgeRole = (
  people: readonly PersonState[],
  { personId, role }: Readonly<{ personId: string; role: PortalRole }>,
): 'last_owner' | null => (role !== 'owner' && isLastOwner(people, personId) ? 'last_owner' : null)

/** Why somebody cannot be invited who is among the people already; null: the invitation is replaced. */
export const judgeInvitation = (
  { isAccepted, invitedAt }: Readonly<{ isAccepted: boolean; invitedAt: Date }>,
  now: Date,
): 'already_active' | 'invited_recently' | null => {
  if (isAccepted) return 'already_active'
  return now.getTime() - invitedAt.getTime() < INVITATION_REST_MS ? 'invited_recently' : null
}
