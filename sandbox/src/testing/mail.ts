import { z } from 'zod'
import type { MailFault } from '../mail/catcher.ts'

const Mails = z.object({
  mails: z.array(
    z.object({
      message_id: z.string().nullable(),
      to: z.array(z.string()),
      subject: z.string(),
      text: z.string(),
      html: z.string(),
      links: z.array(z.string()),
      source: z.string(),
    }),
  ),
})
export type CaughtMail = z.infer<typeof Mails>['mails'][number]

/** Reads the mails that the sandbox has caught for an address, newest first. */
export const readMails = async (sandboxUrl: string, to: string): Promise<CaughtMail[]> => {
  const answer = await fetch(`${sandboxUrl}/control/mail?to=${encodeURIComponent(to)}`)
  return Mails.parse(await answer.json()).mails
}

export const setMailFault = async (sandboxUrl: string, fault: MailFault): Promise<void> => {
  const body = JSON.stringify(fault)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${sandboxUrl}/control/mail/faults`, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}`)
}
