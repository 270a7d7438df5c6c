import { randomUUID } from 'node:crypto'
import { simpleParser } from 'mailparser'

/** A received mail. The inbox shows its text and links; its HTML never reaches a page. */
export type ReceivedMail = Readonly<{
  mail_id: string
  message_id: string | null
  received_at: string
  /** Recipients of the envelope. */
  to: readonly string[]
  from: string
  subject: string
  text: string
  html: string
  /** Addresses in the text, in their order. */
  links: readonly string[]
  /** The message as it came, for tests of its headers. */
  source: string
}>

/** Most mails that are kept; the oldest go first. */
const KEPT = 500
const LINK = /https?:\/\/[^\s<>"]+/g

export type Inbox = Readonly<{
  receive: (source: Buffer, to: readonly string[], now: Date) => Promise<void>
  /** Newest first. @param to only mails to this address; null: all */
  list: (to: string | null) => readonly ReceivedMail[]
  get: (mailId: string) => ReceivedMail | null
}>

/** Keeps mails in memory. */
export const createInbox = (): Inbox => {
  let mails: readonly ReceivedMail[] = []
  return {
    async receive(source, to, now) {
      const { messageId = null, from, subject = '', text = '', html } = await simpleParser(source)
      const mail = {
        mail_id: randomUUID(),
        message_id: messageId,
        received_at: now.toISOString(),
        to,
        from: from?.text ?? '',
        subject,
        text,
        html: html === false || html === undefined ? '' : html,
        links: text.match(LINK) ?? [],
        source: source.toString('utf8'),
      }
      mails = [mail, ...mails].slice(0, KEPT)
    },
    list: (to) => mails.filter((mail) => to === null || mail.to.includes(to)),
    get: (mailId) => mails.find((mail) => mail.mail_id === mailId) ?? null,
  }
}
