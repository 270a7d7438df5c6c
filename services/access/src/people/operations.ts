import { bearerTokenHash, implement, newId, refuse, reply, type Transaction } from '@causeway/chassis'
import {
  accessPeople,
  actorOf,
  actorOfPerson,
  NOTICE_KINDS,
  noticeKindsOf,
  people,
  PEOPLE_PER_OWNER,
  type Membership,
  type PortalRole,
  type Principal,
} from '@causeway/contracts'
import { appendBeginning } from '../audit/store.ts'
import type { AccessContext, RecordEnd } from '../context.ts'
import { getPartner } from '../partners/store.ts'
import { changeRole, describePerson, invite, presentPerson, remove, type PeopleOptions } from './people.ts'
import {
  acceptInvitation,
  findActivePerson,
  findInvitation,
  findOwnerOf,
  listPeople,
  lockOwner,
  updatePreferences,
  type MembershipRecord,
  type Owner,
} from './store.ts'

type Options = Omit<PeopleOptions, 'vault'>
type ByStaff = Parameters<RecordEnd>[1] & Readonly<{ now: Date }>

const partnerOwner = (ownerId: string): Owner => ({ ownerKind: 'partner', ownerId })
const merchantOwner = (ownerId: string): Owner => ({ ownerKind: 'merchant', ownerId })

/** The name of an owner in mails; null for a merchant, whose name access does not know. */
const nameOf = async (tx: Transaction, { ownerKind, ownerId }: Owner): Promise<string | null> =>
  ownerKind === 'partner' ? ((await getPartner(tx, { partnerId: ownerId }))?.name ?? null) : null

/** `gateway.people` (decisions §56). Where an owner has to exist, the dispatcher has checked it. */
export const peopleOperations = (
  { db, vault, recordEnd, mailAlarm }: Pick<AccessContext, 'db' | 'vault' | 'recordEnd' | 'mailAlarm'>,
  options: Options,
) => {
  const list = async (owner: Owner) => {
    const rows = await listPeople(db, { ...owner, limit: PEOPLE_PER_OWNER })
    return reply({ people: rows.map((row) => presentPerson(vault, row)) })
  }

  const inviteByStaff = async (
    owner: Owner,
    { email, role }: Readonly<{ email: string; role: PortalRole }>,
    { now, ...request }: ByStaff,
  ) => {
    const answer = await db.transaction(async (tx) => {
      const invited = {
        email,
        role,
        invitedBy: request.caller.actor,
        ownerName: await nameOf(tx, owner),
        now,
      }
      const result = await invite(tx, { ...options, vault }, owner, invited)
      if (!('person' in result)) return result
      const { person } = result
      const after = { person: describePerson(owner, person.personId, role) }
      const invitedReply = reply({ person: presentPerson(vault, person) })
      return recordEnd(tx, request, { before: null, after }, invitedReply)
    })
    mailAlarm.ring()
    return answer
  }

  return implement(people, {
    listOfPartner: ({ params: { partnerId } }) => list(partnerOwner(partnerId)),
    listOfMerchant: ({ params: { customerId } }) => list(merchantOwner(customerId)),
    inviteToPartner: ({ params: { partnerId }, body, ...call }) =>
      inviteByStaff(partnerOwner(partnerId), body, call),
    inviteToMerchant: ({ params: { customerId }, body, ...call }) =>
      inviteByStaff(merchantOwner(customerId), body, call),
    update: ({ params: { personId }, body: { role }, now, ...request }) =>
      db.transaction(async (tx) => {
        const owner = await findOwnerOf(tx, { personId })
        if (owner === null) return refuse('resource_not_found')
        const { actor } = request.caller
        const result = await changeRole(tx, owner, { personId, role, now, actor })
        if (!('person' in result)) return result
        const before = { person: describePerson(owner, personId, result.former) }
        const after = { person: describePerson(owner, personId, role) }
        const answer = reply({ person: presentPerson(vault, result.person) })
        return recordEnd(tx, request, { before, after }, answer)
      }),
    remove: ({ params: { personId }, now, ...request }) =>
      db.transaction(async (tx) => {
        const owner = await findOwnerOf(tx, { personId })
        if (owner === null) return refuse('resource_not_found')
        const { actor } = request.caller
        const result = await remove(tx, owner, { personId, isByStaff: true, now, actor })
        if (!('former' in result)) return result
        const before = { person: describePerson(owner, personId, result.former) }
        return recordEnd(tx, request, { before, after: null }, reply({}))
      }),
  })
}

/** A person that acts in the portal: the owner in whose name, and the name in the audit log. */
type Acting = Readonly<{ owner: Owner; personId: string; actor: string }>

/** The person of a session; null for one that a link opened. */
const actingOf = (principal: Principal): Acting | null => {
  if (principal.kind === 'staff' || principal.person === undefined) return null
  const owner =
    principal.kind === 'partner' ? partnerOwner(principal.partnerId) : merchantOwner(principal.merchantId)
  return { owner, personId: principal.person.personId, actor: actorOf(principal) }
}

type PersonAction = 'person.invited' | 'person.accepted' | 'person.role_changed' | 'person.removed'

const record = (
  tx: Transaction,
  entry: Readonly<{ action: PersonAction; actor: string; target: string; now: Date; after: unknown }>,
): Promise<void> => {
  const { now: at, ...rest } = entry
  return appendBeginning(tx, { entryId: newId('auditEntry'), at, requestId: newId('request'), ...rest })
}

const presentMembership = ({
  personId,
  ownerKind,
  ownerId,
  ownerName,
  role,
}: MembershipRecord): Membership => ({
  person_id: personId,
  owner_kind: ownerKind,
  owner_id: ownerId,
  owner_name: ownerName,
  role,
})

/** `access.people`: for people in the portal. Only owners see and change people; access reads their role in the act. */
export const portalPeopleOperations = (
  { db, vault, clock, mailAlarm }: Pick<AccessContext, 'db' | 'vault' | 'clock' | 'mailAlarm'>,
  options: Options,
) => {
  /** Runs an act of an owner in a transaction; everybody else finds nothing. */
  const asOwner = <T>(principal: Principal, act: (tx: Transaction, acting: Acting) => Promise<T>) => {
    const acting = actingOf(principal)
    if (acting === null) return refuse('resource_not_found')
    return db.transaction(async (tx) => {
      await lockOwner(tx, acting.owner)
      const person = await findActivePerson(tx, { personId: acting.personId, ...acting.owner })
      return person?.role === 'owner' ? act(tx, acting) : refuse('resource_not_found')
    })
  }

  return implement(accessPeople, {
    list: async ({ body: { principal } }) =>
      asOwner(principal, async (tx, { owner }) => {
        const rows = await listPeople(tx, { ...owner, limit: PEOPLE_PER_OWNER })
        return reply({
          people: rows.map((row) => presentPerson(vault, row)),
          can_invite: options.sendsMail,
        })
      }),

    async invite({ body: { principal, email, role } }) {
      const answer = await asOwner(principal, async (tx, { owner, actor }) => {
        const now = clock.now()
        const invited = { email, role, invitedBy: actor, ownerName: await nameOf(tx, owner), now }
        const result = await invite(tx, { ...options, vault }, owner, invited)
        if (!('person' in result)) return result
        const { personId } = result.person
        const after = describePerson(owner, personId, role)
        await record(tx, { action: 'person.invited', actor, target: personId, now, after })
        return reply({})
      })
      mailAlarm.ring()
      return answer
    },

    update: async ({ body: { principal, person_id: personId, role } }) =>
      asOwner(principal, async (tx, { owner, actor }) => {
        const now = clock.now()
        const result = await changeRole(tx, owner, { personId, role, now, actor })
        if (!('person' in result)) return result
        const after = describePerson(owner, personId, role)
        await record(tx, { action: 'person.role_changed', actor, target: personId, now, after })
        return reply({})
      }),

    remove: async ({ body: { principal, person_id: personId } }) =>
      asOwner(principal, async (tx, { owner, actor }) => {
        const now = clock.now()
        const result = await remove(tx, owner, { personId, isByStaff: false, now, actor })
        if (!('former' in result)) return result
        const after = describePerson(owner, personId, result.former)
        await record(tx, { action: 'person.removed', actor, target: personId, now, after })
        return reply({})
      }),

    async getPreferences({ body: { principal } }) {
      const acting = actingOf(principal)
      const person = acting && (await findActivePerson(db, { personId: acting.personId, ...acting.owner }))
      if (person === null || acting === null) return refuse('resource_not_found')
      const notices = noticeKindsOf(acting.owner.ownerKind, person.role).map((kind) => ({
        kind,
        is_on: !person.mutedNotices.includes(kind),
      }))
      return reply({ mails_new_sign_in: person.mailsNewSignIn, notices })
    },

    async updatePreferences({ body: { principal, mails_new_sign_in: mailsNewSignIn, notices = {} } }) {
      const acting = actingOf(principal)
      if (acting === null) return refuse('resource_not_found')
      const kindsThat = (are: boolean) => NOTICE_KINDS.filter((kind) => notices[kind] === are)
      const changed = await updatePreferences(db, {
        personId: acting.personId,
        ...acting.owner,
        mailsNewSignIn,
        on: kindsThat(true),
        off: kindsThat(false),
      })
      return changed ? reply({}) : refuse('resource_not_found')
    },

    async getInvitation({ body: { token } }) {
      const invitationHash = bearerTokenHash(token)
      const found = invitationHash && (await findInvitation(db, { invitationHash, now: clock.now() }))
      return reply({ invitation: found && presentMembership(found) })
    },

    async acceptInvitation({ body: { token } }) {
      const invitationHash = bearerTokenHash(token)
      if (invitationHash === null) return reply({ accepted: null })
      return db.transaction(async (tx) => {
        const now = clock.now()
        const accepted = await acceptInvitation(tx, { invitationHash, now })
        if (accepted === null) return reply({ accepted: null })
        const { personId, ownerId, role } = accepted
        const actor = actorOfPerson(ownerId, personId)
        const after = describePerson(accepted, personId, role)
        await record(tx, { action: 'person.accepted', actor, target: personId, now, after })
        return reply({ accepted: presentMembership(accepted) })
      })
    },
  })
}
