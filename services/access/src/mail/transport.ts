import { createTransport } from 'nodemailer'
import type { MailMessage } from './message.ts'
import type { MailConfig } from './settings.ts'

const CONNECT_MS = 10_000
const IDLE_MS = 20_000
/** Deadline of a whole attempt: a server that sends a byte now and then is never idle. */
export const ATTEMPT_MS = 60_000

/** Sends a mail. @throws the error of the SMTP client, whose text may contain addresses */
export type SendMail = (mailId: string, message: MailMessage) => Promise<void>

const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(Object.assign(new Error('The mail server was too slow'), { code: 'ETIMEDOUT' })),
    ms,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends over SMTP (RFC 5321), each mail on a separate connection. Attempts of a mail have the same Message-ID, so that a
 * receiver can recognise one that was sent twice. The message can load no file and no address.
 */
export const createSendMail = (config: MailConfig): SendMail => {
  const { host, port, isImplicitTls, needsTls, auth, from } = config
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const transport = createTransport({
    host,
    port,
    secure: isImplicitTls,
    requireTLS: needsTls && !isImplicitTls,
    ignoreTLS: !needsTls,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: 'TLSv1.2' },
    ...(auth !== null && { auth: { ...auth } }),
  })
  return async (mailId, { to, subject, text, html }) => {
    await within(
      ATTEMPT_MS,
      transport.sendMail({
        messageId: `<${mailId}@${domain}>`,
        from: { ...from },
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      }),
    )
  }
}
