import { z } from 'zod'
import { StaffRole } from '../gateway/staff-roles.ts'
import { operation, resource } from '../operation.ts'
import { Timestamp } from '../primitives.ts'
import { PortalRole } from './portal-roles.ts'

/** The person of a session of the portal that a sign-in opened; one that a link opened has none. */
const PortalPerson = z.object({ personId: z.string(), role: PortalRole })
export type PortalPerson = Readonly<z.infer<typeof PortalPerson>>

/** The party that a session acts for, as a {@link Caller} names it. For staff, `actor` is the name in the audit log. */
export const Principal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('partner'), partnerId: z.string(), person: PortalPerson.optional() }),
  z.object({ kind: z.literal('merchant'), merchantId: z.string(), person: PortalPerson.optional() }),
  z.object({ kind: z.literal('staff'), actor: z.string(), role: StaffRole }),
])
export type Principal = Readonly<z.infer<typeof Principal>>

/** Name of a person of a partner or a merchant in logs, limits and the audit log: by id, never by address. */
export const actorOfPerson = (ownerId: string, personId: string): string => `portal:${ownerId}:${personId}`

/** Name of a principal in logs, limits and the audit log. */
export const actorOf = (principal: Principal): string => {
  switch (principal.kind) {
    case 'staff':
      return principal.actor
    case 'partner':
      return principal.person === undefined
        ? `portal:${principal.partnerId}`
        : actorOfPerson(principal.partnerId, principal.person.personId)
    case 'merchant':
      return principal.person === undefined
        ? principal.merchantId
        : actorOfPerson(principal.merchantId, principal.person.personId)
  }
}

/** Why the gateway ends a session. */
export const SignOut = z.enum(['signed_out', 'new_sign_in'])
export type SignOut = z.infer<typeof SignOut>

export const Opened = z.object({ token: z.string(), expires_at: Timestamp, principal: Principal })
const Own = z.object({
  session_id: z.string(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
})

/** `access.sessions`: sessions of the screens, for the browsers that have them (decisions §42). */
export const accessSessions = resource('access.sessions', {
  openByPortalLink: operation({
    summary: 'Open the one session that a portal link is for; null for a link that opens nothing',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ token: z.string() }),
    reply: z.object({ opened: Opened.nullable() }),
  }),
  openForStaff: operation({
    summary: 'Open a session for a member of staff whose credential was checked',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ actor: z.string(), role: StaffRole }),
    reply: z.object({ opened: Opened }),
  }),
  find: operation({
    summary: 'Find whom a session acts for; null for one that has expired or ended, or that never was',
    caller: 'service',
    services: ['gateway'],
    /** Gateways of the version before do not know roles of the portal: they find no session of a person. */
    body: z.object({ token: z.string(), knows_people: z.boolean().optional() }),
    reply: z.object({ principal: Principal.nullable() }),
  }),
  endByToken: operation({
    summary: 'End a session by its token; ending it again changes nothing',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ token: z.string(), reason: SignOut }),
    reply: z.object({}),
  }),
  listOwn: operation({
    summary: 'List the live sessions of the same person, or of the people of the same partner or merchant',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ principal: Principal }),
    reply: z.object({ sessions: z.array(Own) }),
  }),
  endOwn: operation({
    summary: 'End one of the sessions that `listOwn` lists; false for every other session',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ principal: Principal, session_id: z.string() }),
    reply: z.object({ ended: z.boolean() }),
  }),
})
