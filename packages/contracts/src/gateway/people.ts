import { z } from 'zod'
import { PortalRole } from '../access/portal-roles.ts'
import { del, get, patch, post } from '../http/methods.ts'
import { EmailAddress } from '../internet-names.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

/** Most people of a partner or a merchant, and most invitations in 24 hours. */
export const PEOPLE_PER_OWNER = 100

/** A person of a partner or a merchant, who signs in to the portal by e-mail. */
export const PortalMember = z.object({
  person_id: idOf('person'),
  email: z.string(),
  role: PortalRole,
  status: z.enum(['invited', 'active']),
  invited_at: Timestamp,
  invitation_expires_at: Timestamp.nullable().meta({ description: 'Null once the person has accepted' }),
  accepted_at: Timestamp.nullable(),
})
export type PortalMember = z.infer<typeof PortalMember>

export const PortalMemberList = z.object({ people: z.array(PortalMember) })

export const PortalInvitation = z.strictObject({ email: EmailAddress, role: PortalRole })
const PersonReply = z.object({ person: PortalMember })

const INVITE =
  'Sends a link that is valid for 7 days and works once. Inviting somebody who has not accepted yet replaces the link. ' +
  'Needs the setting `MAIL_URL`: `409 invalid_state` without it.'

/** `gateway.people`: who may sign in to the portal by e-mail (decisions §56). */
export const people = resource('gateway.people', {
  listOfPartner: operation({
    operationId: 'listPartnerPeople',
    http: get('/partners/:partnerId/people', { ofPartner: true }),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'List the people of a partner',
    description: 'Use it to see who can sign in to the portal for a partner, and with which role.',
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    reply: PortalMemberList,
  }),
  listOfMerchant: operation({
    operationId: 'listMerchantPeople',
    http: get('/merchants/:customerId/people', { ofMerchant: true }),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'List the people of a merchant',
    description: 'Use it to see who can sign in to the portal for a merchant, and with which role.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    reply: PortalMemberList,
  }),
  inviteToPartner: operation({
    operationId: 'invitePartnerPerson',
    http: post('/partners/:partnerId/people', { status: 201, ofPartner: true }),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Invite a person of a partner to the portal',
    description: `Use it to let the first owner in; owners invite everybody else in the portal. ${INVITE}`,
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    body: PortalInvitation,
    reply: PersonReply,
    refusals: ['resource_not_found', 'invalid_state', 'limit_reached'],
  }),
  inviteToMerchant: operation({
    operationId: 'inviteMerchantPerson',
    http: post('/merchants/:customerId/people', { status: 201, ofMerchant: true }),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Invite a person of a merchant to the portal',
    description: `Use it to let the first owner in; owners invite everybody else in the portal. ${INVITE}`,
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: PortalInvitation,
    reply: PersonReply,
    refusals: ['resource_not_found', 'invalid_state', 'limit_reached'],
  }),
  update: operation({
    operationId: 'updatePerson',
    http: patch('/people/:personId'),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Change the role of a person',
    description:
      'The person’s sessions end; the next sign-in has the new role. The last owner keeps the role: `409 invalid_state`.',
    caller: 'operator',
    params: z.object({ personId: idOf('person') }),
    body: z.strictObject({ role: PortalRole }),
    reply: PersonReply,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  remove: operation({
    operationId: 'removePerson',
    http: del('/people/:personId', { status: 204 }),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'Remove a person from the portal',
    description:
      'The person’s sessions end, and the e-mail address is deleted. The last owner can be removed only when nobody else is left: `409 invalid_state`.',
    caller: 'operator',
    params: z.object({ personId: idOf('person') }),
    reply: z.strictObject({}),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
