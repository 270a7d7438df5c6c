import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Membership } from './people.ts'
import { Opened } from './sessions.ts'

/** Why a link of the sign-in opens nothing. */
export const SignInLinkFault = z.enum(['refused', 'other_browser'])
export type SignInLinkFault = z.infer<typeof SignInLinkFault>

/** A link, and the token of the browser that presents it. */
const Presented = { token: z.string(), browser: z.string() }

/** `access.portal-sign-in`: people sign in to the portal by a link sent by e-mail (decisions §56). */
export const accessPortalSignIn = resource('access.portal-sign-in', {
  request: operation({
    summary: 'Record that a browser asks for a link; the same for each address',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ email: z.string(), browser: z.string() }),
    /** False: the platform sends no e-mail. */
    reply: z.object({ sends_mail: z.boolean() }),
  }),
  listMemberships: operation({
    summary: 'List what a link can open, without using it',
    caller: 'service',
    services: ['gateway'],
    body: z.object(Presented),
    reply: z.object({ memberships: z.union([z.array(Membership), SignInLinkFault]) }),
  }),
  open: operation({
    summary: 'Use a link: open a session of one membership',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ ...Presented, person_id: z.string() }),
    reply: z.object({ opened: z.union([Opened, SignInLinkFault]) }),
  }),
  sendsMail: operation({
    summary: 'Check whether the platform sends e-mail',
    caller: 'service',
    services: ['gateway'],
    reply: z.object({ sends_mail: z.boolean() }),
  }),
})
