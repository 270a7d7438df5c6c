import type { ErrorDetail } from '@causeway/contracts'

const PROBLEMS: Readonly<Record<string, string>> = {
  last_owner: 'This is the last owner. Make somebody else an owner first.',
  already_active: 'This person has accepted an invitation already. Change the role below instead.',
  invited_recently: 'This person was invited less than a minute ago. Wait a moment before you resend.',
  mail_not_configured: 'This platform sends no e-mail, so nobody can be invited.',
}

/** Describes why a change of people was refused; null for another refusal. */
export const problemOf = ({
  details = [],
}: Readonly<{ details?: readonly ErrorDetail[] }>): string | null => {
  const reason = details.map((detail) => detail['reason']).find((each) => typeof each === 'string')
  return reason === undefined ? null : (PROBLEMS[reason] ?? null)
}
