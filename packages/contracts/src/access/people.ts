import { z } from 'zod'
import { PortalMember, PEOPLE_PER_OWNER } from '../gateway/people.ts'
import { EmailAddress } from '../internet-names.ts'
import { operation, resource } from '../operation.ts'
import { NoticeKind } from './notices.ts'
import { PortalRole } from './portal-roles.ts'
import { Principal } from './sessions.ts'

/** Whom a session of the portal acts for, with its person. Access reads the person's role itself. */
const body = { principal: Principal }

/** A partner or a merchant as the pages of the sign-in name it. */
export const Membership = z.object({
  person_id: z.string(),
  owner_kind: z.enum(['partner', 'merchant']),
  owner_id: z.string(),
  /** The partner's name; null for a merchant, whose name access does not know. */
  owner_name: z.string().nullable(),
  role: PortalRole,
})
export type Membership = Readonly<z.infer<typeof Membership>>

/** `access.people`: the people page of the portal, for owners (decisions §56). */
export const accessPeople = resource('access.people', {
  list: operation({
    summary: 'List the people of the partner or merchant of an owner',
    caller: 'service',
    services: ['gateway'],
    body: z.object(body),
    reply: z.object({ people: z.array(PortalMember).max(PEOPLE_PER_OWNER), can_invite: z.boolean() }),
    refusals: ['resource_not_found'],
  }),
  invite: operation({
    summary: 'Invite a person, or replace the invitation of one who has not accepted',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ ...body, email: EmailAddress, role: PortalRole }),
    reply: z.object({}),
    refusals: ['resource_not_found', 'invalid_state', 'limit_reached'],
  }),
  update: operation({
    summary: 'Change the role of a person and end the person’s sessions',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ ...body, person_id: z.string(), role: PortalRole }),
    reply: z.object({}),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  remove: operation({
    summary: 'Remove a person and end the person’s sessions',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ ...body, person_id: z.string() }),
    reply: z.object({}),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  getPreferences: operation({
    summary: 'Get the preferences of the person of a session',
    caller: 'service',
    services: ['gateway'],
    body: z.object(body),
    reply: z.object({
      mails_new_sign_in: z.boolean(),
      /** The notices that the person's role can receive (decisions §58). A kind that a replica does not know is text. */
      notices: z.array(z.object({ kind: z.string(), is_on: z.boolean() })).optional(),
    }),
    refusals: ['resource_not_found'],
  }),
  updatePreferences: operation({
    summary: 'Change the preferences of the person of a session',
    caller: 'service',
    services: ['gateway'],
    body: z.object({
      ...body,
      mails_new_sign_in: z.boolean(),
      /** The kinds to switch on or off; others stay as they are. */
      notices: z.partialRecord(NoticeKind, z.boolean()).optional(),
    }),
    reply: z.object({}),
    refusals: ['resource_not_found'],
  }),
  getInvitation: operation({
    summary: 'Get what an invitation is for; null for one that is used, replaced, expired or unknown',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ token: z.string() }),
    reply: z.object({ invitation: Membership.nullable() }),
  }),
  acceptInvitation: operation({
    summary: 'Accept an invitation, once; null for one that is used, replaced, expired or unknown',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ token: z.string() }),
    reply: z.object({ accepted: Membership.nullable() }),
  }),
})
