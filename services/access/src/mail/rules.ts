const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 600_000

/** How an attempt to send a mail ended. */
export type Attempt = 'sent' | 'refused' | 'failed'

/** The next step of a mail after an attempt: its end, or the time of the next attempt. */
export type NextStep =
  Readonly<{ outcome: 'sent' | 'refused' | 'expired' }> | Readonly<{ outcome: null; nextAttemptAt: Date }>

/** Decides what happens to a mail after an attempt. @param attempts how many there have been, from 1 */
export const nextStep = (
  attempt: Attempt,
  { attempts, expiresAt, now }: Readonly<{ attempts: number; expiresAt: Date; now: Date }>,
): NextStep => {
  if (attempt !== 'failed') return { outcome: attempt }
  const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_RETRY_MS)
  const nextAttemptAt = new Date(now.getTime() + pauseMs)
  return nextAttemptAt < expiresAt ? { outcome: null, nextAttemptAt } : { outcome: 'expired' }
}

/** The parts of an SMTP client's error that are safe to log: its text may contain addresses. */
export type SmtpFault = Readonly<{ code: string | null; status: number | null }>

export const faultOf = (error: unknown): SmtpFault => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return {
    code: typeof code === 'string' && /^[A-Z]\w{0,39}$/.test(code) ? code : null,
    status: typeof responseCode === 'number' ? responseCode : null,
  }
}

/**
 * True if the server refused this mail permanently (RFC 5321 §4.2.1). A refused sign-in or connection concerns the server,
 * not the mail, and is retried.
 */
export const isPermanent = ({ code, status }: SmtpFault): boolean =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && status !== null && status >= 500
