import type { ReviewedCase } from '@causeway/contracts'
import { EMPTY, html, linkButton, livePart, notice, type Html } from '../../../design/index.ts'
import { casePath } from '../paths.ts'

/** An hour of looks, at this pace: each one is in the audit log. */
const EVERY = '20s'
const MOST_LOOKS = 180

export const watchPath = (verificationId: string): string => `${casePath(verificationId)}/changes`

/**
 * Tells a reviewer who has a pending case open that it has changed since.
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
            'Read it again before you decide: a decision on what you have read is refused.',
          )}
          <p>${linkButton(casePath(id), 'Show the case as it is now')}</p>`
      : EMPTY,
  )
}
