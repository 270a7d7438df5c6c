import { definitionList, html, notice, page, table, time, type Html } from '@causeway/screens/design'
import type { ReceivedMail } from './inbox.ts'

const BRAND = 'Sandbox mail: nothing is delivered here'

/** Renders the list of received mails, newest first. */
export const inboxPage = (mails: readonly ReceivedMail[]): Html =>
  page({
    title: 'Inbox',
    brand: BRAND,
    main: html`<h1>Inbox</h1>
      <p>E-mail that the platform has sent. It is kept in memory until the sandbox stops.</p>
      ${table({
        caption: 'Received e-mail, newest first',
        columns: [
          { heading: 'Received', cell: (mail) => time(mail.received_at) },
          { heading: 'To', cell: ({ to }) => to.join(', ') },
          {
            heading: 'Subject',
            cell: (mail) => html`<a href="/mail/${mail.mail_id}">${mail.subject || 'No subject'}</a>`,
          },
        ],
        rows: mails,
        empty: 'No e-mail yet.',
      })}`,
  })

/** Only web addresses become links; the text of a mail is otherwise shown as it is. */
const linkTo = (address: string): Html => html`<li><a href="${address}" rel="noreferrer">${address}</a></li>`

/** Plain text as paragraphs, whose lines wrap on a narrow screen. */
const paragraphsOf = (text: string): readonly Html[] =>
  text
    .trim()
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) => html`<p>${paragraph.split(/\r?\n/).map((line) => html`${line}<br />`)}</p>`)

/** Renders the text and the links of one mail. */
export const mailPage = (mail: ReceivedMail): Html =>
  page({
    title: mail.subject,
    brand: BRAND,
    main: html`<h1>${mail.subject}</h1>
      ${definitionList([
        { term: 'From', value: mail.from },
        { term: 'To', value: mail.to.join(', ') },
        { term: 'Received', value: time(mail.received_at) },
      ])}
      ${paragraphsOf(mail.text)}
      <h2>Links</h2>
      ${
        mail.links.length === 0
          ? html`<p>None.</p>`
          : html`<ul>
              ${mail.links.map(linkTo)}
            </ul>`
      }
      <p><a href="/mail">Back to the inbox</a></p>`,
  })

export const unknownMailPage = (): Html =>
  page({
    title: 'E-mail not found',
    brand: BRAND,
    width: 'narrow',
    main: html`<h1>E-mail not found</h1>
      ${notice('warning', 'The sandbox keeps no e-mail with this id.')}
      <p><a href="/mail">Back to the inbox</a></p>`,
  })
