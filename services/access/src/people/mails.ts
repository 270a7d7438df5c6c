import type { PortalRole } from '@causeway/contracts'
import { html as tag } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { MailMessage } from '../mail/message.ts'
import type { MembershipRecord } from './store.ts'

/** Escapes what it interpolates; without promises among its values it is synchronous. */
const html = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
  tag(strings, ...values) as HtmlEscapedString

/**
 * Texts of mails, all of them here so that they can be translated. Names in them are the partner's that staff set: no
 * other text in a mail comes from users. Subjects have no personal data.
 */
type Texts = Readonly<{
  subject: string
  /** Paragraphs before the link. */
  before: readonly string[]
  link: Readonly<{ text: string; url: string }> | null
  /** Paragraphs after the link. */
  after: readonly string[]
}>

const messageOf = (to: string, { subject, before, link, after }: Texts): MailMessage => ({
  to,
  subject,
  text: [...before, ...(link === null ? [] : [`${link.text}:\n${link.url}`]), ...after].join('\n\n'),
  html: html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
        ${before.map((paragraph) => html`<p>${paragraph}</p>`)}
        ${link === null ? '' : html`<p><a href="${link.url}">${link.text}</a></p>`}
        ${after.map((paragraph) => html`<p>${paragraph}</p>`)}
      </body>
    </html>`.toString(),
})

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
