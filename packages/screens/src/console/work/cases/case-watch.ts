import type { ReviewedCase } from '@causeway/contracts'
import { EMPTY, html, linkButton, livePart, notice, type Html } from '../../../design/index.ts'
import { casePath } from '../paths.ts'

/** One hour of polling. It is bounded because the audit log records each poll. */
const EVERY = '20s'
const MOST_LOOKS = 180

export const watchPath = (verificationId: string): string => `${casePath(verificationId)}/changes`

/**
 * Notifies a reviewer who has a pending case open when it changes.
 * @param read the version that the page shows
 */
export const caseWatch = (
  { verification_id: id, status, version }: ReviewedCase,
  read: number | undefined,
): Html => {
  if (read === undefined) return EMPTY
  const hasChanged = version !== read
  return livePart(
    {
      id: 'case-changes',
      isUnderWay: status === 'pending' && !hasChanged,
      mostLooks: MOST_LOOKS,
      from: `${watchPath(id)}?version=${read}`,
      every: EVERY,
    },
    hasChanged
      ? html`${notice(
            'warning',
            'This case has changed since you opened it.',
            'Review the current version before you decide. A decision on the old version is refused.',
          )}
          <p>${linkButton(casePath(id), 'Show the current version')}</p>`
      : EMPTY,
  )
}
