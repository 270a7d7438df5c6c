import { z } from 'zod'

/** A mail as the queue keeps it, encrypted. Subjects have no personal data: mail servers log them. */
export const MailMessage = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export type MailMessage = Readonly<z.infer<typeof MailMessage>>

/** The context to which a sealed mail is bound. */
export const mailContext = (mailId: string): string => `mail:${mailId}`
