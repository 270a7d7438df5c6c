import { newBearerToken, newId, refuse, type Transaction, type Vault } from '@causeway/chassis'
import { PEOPLE_PER_OWNER, type PortalMember, type PortalRole } from '@causeway/contracts'
import { queueMail } from '../mail/queue.ts'
import { endByOrigin } from '../sessions/ending.ts'
import { macOfEmail, personContext } from './address.ts'
import { invitationMail } from './mails.ts'
import { judgeInvitation, judgeRemoval, judgeRole } from './rules.ts'
import {
  countInvitations,
  findPersonByEmail,
  forgetBrowsers,
  insertPerson,
  listPeople,
  lockOwner,
  removePerson,
  replaceInvitation,
  updateRole,
  type Owner,
  type PersonRecord,
} from './store.ts'

const DAY_MS = 24 * 3_600_000
const INVITATION_TTL_MS = 7 * DAY_MS
const LIMIT_REACHED = { resource: 'people', limit: PEOPLE_PER_OWNER }

/** Dependencies of changes of people. */
export type PeopleOptions = Readonly<{
  vault: Vault
  publicBaseUrl: string
  /** False: the platform sends no e-mail, so nobody can be invited. */
  sendsMail: boolean
}>

const emailOf = (vault: Vault, { personId, emailSealed }: Pick<PersonRecord, 'personId' | 'emailSealed'>) =>
  vault.open(emailSealed, personContext(personId)).toString('utf8')

export const presentPerson = (vault: Vault, record: PersonRecord): PortalMember => ({
  person_id: record.personId,
  email: emailOf(vault, record),
  role: record.role,
  status: record.acceptedAt === null ? 'invited' : 'active',
  invited_at: record.invitedAt.toISOString(),
  invitation_expires_at: record.invitationExpiresAt?.toISOString() ?? null,
  accepted_at: record.acceptedAt?.toISOString() ?? null,
})

/** A person in the audit log: without the address. */
export const describePerson = (owner: Owner, personId: string, role: PortalRole) => ({
  person_id: personId,
  [owner.ownerKind === 'partner' ? 'partner_id' : 'customer_id']: owner.ownerId,
  role,
})

const refusePerson = (reason: string) => refuse('invalid_state', [{ resource: 'people', reason }])

const statesOf = async (tx: Transaction, owner: Owner) =>
  (await listPeople(tx, { ...owner, limit: PEOPLE_PER_OWNER })).map(({ personId, role, acceptedAt }) => ({
    personId,
    role,
    isAccepted: acceptedAt !== null,
  }))

type Invited = Readonly<{
  email: string
  role: PortalRole
  invitedBy: string
  ownerName: string | null
  now: Date
}>

/** Refuses an invitation beyond the bounds; null if there is room. */
const refuseAboveBounds = async (
  tx: Transaction,
  owner: Owner,
  { isNew, now }: { isNew: boolean; now: Date },
) => {
  const since = new Date(now.getTime() - DAY_MS)
  const { invitations = 0 } = (await countInvitations(tx, { ...owner, since })) ?? {}
  if (invitations >= PEOPLE_PER_OWNER) return refuse('limit_reached', [LIMIT_REACHED])
  if (!isNew) return null
  const isFull = (await statesOf(tx, owner)).length >= PEOPLE_PER_OWNER
  return isFull ? refuse('limit_reached', [LIMIT_REACHED]) : null
}

/**
 * Invites a person, or replaces the invitation of one who has not accepted: the former link ends. The mail is queued in
 * the same transaction.
 */
export async function invite(
  tx: Transaction,
  { vault, publicBaseUrl, sendsMail }: PeopleOptions,
  owner: Owner,
  { email, role, invitedBy, ownerName, now }: Invited,
) {
  if (!sendsMail) return refusePerson('mail_not_configured')
  await lockOwner(tx, owner)
  const emailMac = macOfEmail(vault, email)
  const found = await findPersonByEmail(tx, { ...owner, emailMac })
  const fault = found && judgeInvitation({ ...found, isAccepted: found.acceptedAt !== null }, now)
  if (fault) return refusePerson(fault)
  const refusal = await refuseAboveBounds(tx, owner, { isNew: found === null, now })
  if (refusal !== null) return refusal
  const personId = found?.personId ?? newId('person')
  const { token, tokenHash } = newBearerToken()
  const expiresAt = new Date(now.getTime() + INVITATION_TTL_MS)
  const invitation = { personId, ...owner, role, invitedBy, now, invitationHash: tokenHash, expiresAt }
  const emailSealed = found?.emailSealed ?? vault.seal(email, personContext(personId))
  if (found === null) await insertPerson(tx, { ...invitation, emailMac, emailSealed })
  else await replaceInvitation(tx, invitation)
  const url = `${publicBaseUrl}/portal/invitations/${token}`
  const message = invitationMail(
    emailOf(vault, { personId, emailSealed }),
    { ...owner, ownerName, role },
    url,
  )
  await queueMail(tx, vault, {
    kind: 'invitation',
    message,
    now,
    expiresAt: new Date(now.getTime() + DAY_MS),
  })
  const times = { invitedAt: now, invitationExpiresAt: expiresAt, acceptedAt: null }
  return { ok: true as const, person: { personId, ...owner, role, emailSealed, ...times } }
}

type Changed = Readonly<{ personId: string; role: PortalRole; now: Date; actor: string }>

/** Changes a role and ends the person's sessions, in one transaction. */
export async function changeRole(tx: Transaction, owner: Owner, { personId, role, now, actor }: Changed) {
  await lockOwner(tx, owner)
  const people = await statesOf(tx, owner)
  const former = people.find((each) => each.personId === personId)
  if (former === undefined) return refuse('resource_not_found')
  const fault = judgeRole(people, { personId, role })
  if (fault !== null) return refusePerson(fault)
  const person = await updateRole(tx, { personId, ...owner, role })
  if (person === null) return refuse('resource_not_found')
  await endByOrigin(tx, personId, { now, actor, reason: 'role_changed' })
  return { ok: true as const, former: former.role, person }
}

type Removed = Readonly<{ personId: string; isByStaff: boolean; now: Date; actor: string }>

/** Removes a person, deletes the address, and ends the person's sessions, in one transaction. */
export async function remove(tx: Transaction, owner: Owner, { personId, isByStaff, now, actor }: Removed) {
  await lockOwner(tx, owner)
  const people = await statesOf(tx, owner)
  const former = people.find((each) => each.personId === personId)
  if (former === undefined) return refuse('resource_not_found')
  const fault = judgeRemoval(people, { personId, isByStaff })
  if (fault !== null) return refusePerson(fault)
  if ((await removePerson(tx, { personId, ...owner, now })) === null) return refuse('resource_not_found')
  await forgetBrowsers(tx, { personId })
  await endByOrigin(tx, personId, { now, actor, reason: 'person_removed' })
  return { ok: true as const, former: former.role }
}
