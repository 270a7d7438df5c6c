import type { PortalRole } from '@causeway/contracts'
import { messageOf } from '../mail/layout.ts'
import type { MailMessage } from '../mail/message.ts'
import type { MembershipRecord } from './store.ts'

const ROLE_TEXTS: Readonly<Record<PortalRole, string>> = {
  owner: 'an owner',
  developer: 'a developer',
  finance: 'a finance person',
  viewer: 'a viewer',
}

/** The partner or merchant of a membership in the text of a mail. */
type Named = Pick<MembershipRecord, 'ownerKind' | 'ownerId' | 'ownerName' | 'role'>

const nameOf = ({ ownerKind, ownerId, ownerName }: Named): string =>
  ownerName === null ? `the ${ownerKind} ${ownerId}` : `${ownerName} (${ownerId})`

export const signInMail = (to: string, url: string): MailMessage =>
  messageOf(to, {
    subject: 'Sign in to the portal',
    before: ['Somebody asked to sign in to the portal with this e-mail address.'],
    link: { text: 'Sign in', url },
    after: [
      'The link works once, within 15 minutes, and only in the browser in which it was asked for.',
      'If it was not you, ignore this e-mail. Do not forward it.',
    ],
  })

export const invitationMail = (to: string, membership: Named, url: string): MailMessage =>
  messageOf(to, {
    subject: 'Invitation to the portal',
    before: [`You are invited to the portal of ${nameOf(membership)} as ${ROLE_TEXTS[membership.role]}.`],
    link: { text: 'Accept the invitation', url },
    after: [
      'The link works once, within 7 days. Afterwards you sign in with this e-mail address.',
      'If you do not know the sender, ignore this e-mail.',
    ],
  })

export const newSignInMail = (to: string, membership: Named, at: Date, sessionsUrl: string): MailMessage =>
  messageOf(to, {
    subject: 'New sign-in to the portal',
    before: [
      `A browser that you have not used before signed in to the portal of ${nameOf(membership)} with this e-mail ` +
        `address, at ${at.toISOString()}.`,
      'If it was you, there is nothing to do.',
    ],
    link: { text: 'If it was not you, end the session here', url: sessionsUrl },
    after: ['You can switch off these e-mails on the same page.'],
  })
