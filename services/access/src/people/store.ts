import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { PortalRole } from '@causeway/contracts'
import { z } from 'zod'

/** Whose people they are. Every statement that serves a session names it. */
export const Owner = z.object({ ownerKind: z.enum(['partner', 'merchant']), ownerId: z.string() })
export type Owner = Readonly<z.infer<typeof Owner>>

const PersonRecord = Owner.extend({
  personId: z.string(),
  role: PortalRole,
  emailSealed: z.string(),
  invitedAt: z.date(),
  invitationExpiresAt: z.date().nullable(),
  acceptedAt: z.date().nullable(),
})
export type PersonRecord = Readonly<z.infer<typeof PersonRecord>>

const OWNER = { ownerKind: 'text', ownerId: 'text' } as const
const IS_OF_OWNER = 'owner_kind = :ownerKind AND owner_id = :ownerId'
const SHOWN =
  'person_id, owner_kind, owner_id, role, email_sealed, invited_at, invitation_expires_at, accepted_at'
/** A disabled partner's people can neither accept nor sign in. */
export const HAS_ACTIVE_OWNER = `
  (owner_kind = 'merchant' OR EXISTS (SELECT FROM partners WHERE partner_id = owner_id AND status = 'active'))`
const OWNER_NAME = `
  CASE owner_kind WHEN 'partner' THEN (SELECT name FROM partners WHERE partner_id = owner_id) END AS owner_name`

/** Serialises changes of an owner's people until the end of the transaction: the last owner stays one. */
export const lockOwner = queryNone({
  name: 'people.lock-owner',
  parameters: OWNER,
  text: `SELECT pg_advisory_xact_lock(hashtextextended('people:' || :ownerKind || ':' || :ownerId, 0))`,
})

export const listPeople = queryMany({
  name: 'people.list',
  parameters: { ...OWNER, limit: 'integer' },
  text: `
    SELECT ${SHOWN} FROM people WHERE ${IS_OF_OWNER} AND removed_at IS NULL
    ORDER BY invited_at, person_id LIMIT :limit`,
  row: PersonRecord,
})

/** The owner of a person that is not removed; for staff, who name the person alone. */
export const findOwnerOf = queryOne({
  name: 'people.find-owner',
  parameters: { personId: 'text' },
  text: 'SELECT owner_kind, owner_id FROM people WHERE person_id = :personId AND removed_at IS NULL',
  row: Owner,
})

/** Counts the invitations since a time, also of people who were removed since. */
export const countInvitations = queryOne({
  name: 'people.count-invitations',
  parameters: { ...OWNER, since: 'timestamptz' },
  text: `SELECT count(*)::integer AS invitations FROM people WHERE ${IS_OF_OWNER} AND invited_at > :since`,
  row: z.object({ invitations: z.number() }),
})

export const findPersonByEmail = queryOne({
  name: 'people.find-by-email',
  parameters: { ...OWNER, emailMac: 'text' },
  text: `SELECT ${SHOWN} FROM people WHERE ${IS_OF_OWNER} AND email_mac = :emailMac AND removed_at IS NULL`,
  row: PersonRecord,
})

const INVITATION = {
  role: 'text',
  invitedBy: 'text',
  now: 'timestamptz',
  invitationHash: 'bytea',
  expiresAt: 'timestamptz',
} as const

export const insertPerson = queryNone({
  name: 'people.insert',
  parameters: { personId: 'text', ...OWNER, ...INVITATION, emailMac: 'text', emailSealed: 'text' },
  text: `
    INSERT INTO people (
      person_id, owner_kind, owner_id, role, email_mac, email_sealed, invited_by, invited_at, invitation_hash,
      invitation_expires_at
    ) VALUES (
      :personId, :ownerKind, :ownerId, :role, :emailMac, :emailSealed, :invitedBy, :now, :invitationHash, :expiresAt
    )`,
})

/** Replaces the invitation of a person who has not accepted. */
export const replaceInvitation = queryNone({
  name: 'people.replace-invitation',
  parameters: { personId: 'text', ...OWNER, ...INVITATION },
  text: `
    UPDATE people
    SET role = :role, invited_by = :invitedBy, invited_at = :now, invitation_hash = :invitationHash,
      invitation_expires_at = :expiresAt
    WHERE person_id = :personId AND ${IS_OF_OWNER} AND accepted_at IS NULL AND removed_at IS NULL`,
})

export const updateRole = queryOne({
  name: 'people.update-role',
  parameters: { personId: 'text', ...OWNER, role: 'text' },
  text: `
    UPDATE people SET role = :role
    WHERE person_id = :personId AND ${IS_OF_OWNER} AND removed_at IS NULL
    RETURNING ${SHOWN}`,
  row: PersonRecord,
})

/** Removes a person and deletes the address. */
export const removePerson = queryOne({
  name: 'people.remove',
  parameters: { personId: 'text', ...OWNER, now: 'timestamptz' },
  text: `
    UPDATE people
    SET removed_at = :now, email_mac = NULL, email_sealed = NULL, invitation_hash = NULL,
      invitation_expires_at = NULL
    WHERE person_id = :personId AND ${IS_OF_OWNER} AND removed_at IS NULL
    RETURNING person_id`,
  row: z.object({ personId: z.string() }),
})

export const forgetBrowsers = queryNone({
  name: 'known-browsers.forget',
  parameters: { personId: 'text' },
  text: 'DELETE FROM known_browsers WHERE person_id = :personId',
})

/** The role of a person of this owner who has accepted and is not removed. */
export const findActivePerson = queryOne({
  name: 'people.find-active',
  parameters: { personId: 'text', ...OWNER },
  text: `
    SELECT role, mails_new_sign_in, muted_notices FROM people
    WHERE person_id = :personId AND ${IS_OF_OWNER} AND accepted_at IS NOT NULL AND removed_at IS NULL`,
  row: z.object({ role: PortalRole, mailsNewSignIn: z.boolean(), mutedNotices: z.array(z.string()) }),
})

/** Kinds of notices that are neither in `on` nor in `off` stay as they are. */
export const updatePreferences = queryOne({
  name: 'people.update-preferences',
  parameters: { personId: 'text', ...OWNER, mailsNewSignIn: 'boolean', on: 'text[]', off: 'text[]' },
  text: `
    UPDATE people SET mails_new_sign_in = :mailsNewSignIn, muted_notices = ARRAY(
      SELECT unnest(muted_notices || :off) EXCEPT SELECT unnest(:on)
    )
    WHERE person_id = :personId AND ${IS_OF_OWNER} AND accepted_at IS NOT NULL AND removed_at IS NULL
    RETURNING person_id`,
  row: z.object({ personId: z.string() }),
})

const MembershipRecord = Owner.extend({
  personId: z.string(),
  role: PortalRole,
  ownerName: z.string().nullable(),
})
export type MembershipRecord = Readonly<z.infer<typeof MembershipRecord>>

export const findInvitation = queryOne({
  name: 'people.find-invitation',
  parameters: { invitationHash: 'bytea', now: 'timestamptz' },
  text: `
    SELECT person_id, owner_kind, owner_id, role, ${OWNER_NAME} FROM people
    WHERE invitation_hash = :invitationHash AND invitation_expires_at > :now AND removed_at IS NULL
      AND ${HAS_ACTIVE_OWNER}`,
  row: MembershipRecord,
})

/** Uses an invitation up; of two simultaneous calls one finds it. */
export const acceptInvitation = queryOne({
  name: 'people.accept-invitation',
  parameters: { invitationHash: 'bytea', now: 'timestamptz' },
  text: `
    UPDATE people SET accepted_at = :now, invitation_hash = NULL, invitation_expires_at = NULL
    WHERE invitation_hash = :invitationHash AND invitation_expires_at > :now AND removed_at IS NULL
      AND ${HAS_ACTIVE_OWNER}
    RETURNING person_id, owner_kind, owner_id, role, ${OWNER_NAME}`,
  row: MembershipRecord,
})

/** Most memberships that one address can choose from. */
export const MEMBERSHIPS_SHOWN = 100

/** The memberships of an address that it can sign in to. */
export const listMemberships = queryMany({
  name: 'people.list-memberships',
  parameters: { emailMac: 'text' },
  text: `
    SELECT person_id, owner_kind, owner_id, role, ${OWNER_NAME} FROM people
    WHERE email_mac = :emailMac AND accepted_at IS NOT NULL AND removed_at IS NULL AND ${HAS_ACTIVE_OWNER}
    ORDER BY owner_kind DESC, owner_id LIMIT ${MEMBERSHIPS_SHOWN}`,
  row: MembershipRecord,
})

/** A membership of an address, locked so that a removal waits until the session is there to be ended. */
export const lockMembership = queryOne({
  name: 'people.lock-membership',
  parameters: { personId: 'text', emailMac: 'text' },
  text: `
    SELECT person_id, owner_kind, owner_id, role, ${OWNER_NAME}, email_sealed, mails_new_sign_in FROM people
    WHERE person_id = :personId AND email_mac = :emailMac AND accepted_at IS NOT NULL AND removed_at IS NULL
      AND ${HAS_ACTIVE_OWNER}
    FOR UPDATE`,
  row: MembershipRecord.extend({ emailSealed: z.string(), mailsNewSignIn: z.boolean() }),
})

/** Records a browser of a person. @returns a row if the person had not signed in with it */
export const rememberBrowser = queryOne({
  name: 'known-browsers.remember',
  parameters: { personId: 'text', browserHash: 'bytea', now: 'timestamptz' },
  text: `
    INSERT INTO known_browsers (person_id, browser_hash, seen_at) VALUES (:personId, :browserHash, :now)
    ON CONFLICT (person_id, browser_hash) DO UPDATE SET seen_at = :now
    RETURNING (xmax = 0) AS is_new`,
  row: z.object({ isNew: z.boolean() }),
})

export const purgeBrowsers = queryNone({
  name: 'known-browsers.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM known_browsers WHERE seen_at <= :before',
})
