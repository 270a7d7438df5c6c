import { newId, type Queryable, type Vault } from '@causeway/chassis'
import type { NoticeKind } from '@causeway/contracts'
import { mailContext, type MailMessage } from './message.ts'
import { insertMail } from './store.ts'

/** Kinds of mails. */
export type MailKind = 'sign_in_link' | 'invitation' | 'new_sign_in' | NoticeKind

type Mail = Readonly<{
  kind: MailKind
  message: MailMessage
  now: Date
  /** Time after which the mail is of no use, and is not sent. */
  expiresAt: Date
}>

/** Queues a mail in the transaction of what causes it. */
export const queueMail = async (
  tx: Queryable,
  vault: Vault,
  { kind, message, now, expiresAt }: Mail,
): Promise<void> => {
  const mailId = newId('mail')
  const messageSealed = vault.seal(JSON.stringify(message), mailContext(mailId))
  await insertMail(tx, { mailId, kind, messageSealed, now, expiresAt })
}
