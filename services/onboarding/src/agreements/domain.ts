import { refuse } from '@causeway/chassis'
import type { Agreement, Refusal } from '@causeway/contracts'

/** How far a partner's clock may be ahead (decisions §5). */
const MAX_CLOCK_SKEW_MS = 5 * 60_000

type Accepted = Readonly<{ agreementVersion: string }>

/** Status of one agreement for a customer (spec: Agreement status). */
export const agreementStatus = <A extends Accepted>(
  currentVersion: string,
  acceptances: readonly A[],
): Readonly<{ status: Agreement['status']; current: A | null; previous: readonly A[] }> => {
  const current = acceptances.find((acceptance) => acceptance.agreementVersion === currentVersion) ?? null
  const previous = acceptances.filter((acceptance) => acceptance !== current)
  const status = current ? 'accepted' : previous.length > 0 ? 'superseded' : 'required'
  return { status, current, previous }
}

/** Refuses a time in the future, and one before 1970: nothing was accepted here then. */
export const checkAcceptedAt = (acceptedAt: Date, now: Date): Refusal<'invalid_request'> | null =>
  acceptedAt.getTime() > now.getTime() + MAX_CLOCK_SKEW_MS || acceptedAt.getTime() < 0
    ? refuse('invalid_request', [
        {
          field: 'accepted_at',
          reason: 'invalid_value',
          expected: 'a time since 1970 that is not in the future',
        },
      ])
    : null

/** A new acceptance must be of the current version or of an upcoming one (decisions §5 and §43). */
export const notCurrent = (current: string | null): Refusal<'invalid_state'> =>
  refuse('invalid_state', [{ field: 'agreement_version', reason: 'not_current', current_version: current }])

/** When a version comes into force, where that is later than its publication; else null. */
export const scheduleOf = (effectiveAt: string | undefined, now: Date): Date | null => {
  const at = effectiveAt === undefined ? now : new Date(effectiveAt)
  return at.getTime() > now.getTime() ? at : null
}

const PDF_HEADER = '%PDF-'

/** Media type under which a published document is served: never one that a browser would run. */
export const contentTypeOf = (content: Buffer): string => {
  if (content.subarray(0, PDF_HEADER.length).toString('latin1') === PDF_HEADER) return 'application/pdf'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return 'text/plain; charset=utf-8'
  } catch {
    return 'application/octet-stream'
  }
}

type Sized = Readonly<{ acceptanceId: string; evidenceBytes: number }>

/**
 * Which previous acceptances are shown with their evidence: the newest, until one does not fit.
 * @param previous newest first
 */
export const selectEvidence = (previous: readonly Sized[], maxBytes: number): ReadonlySet<string> => {
  const selected = new Set<string>()
  let left = maxBytes
  for (const { acceptanceId, evidenceBytes } of previous) {
    left -= evidenceBytes
    if (left < 0) break
    selected.add(acceptanceId)
  }
  return selected
}
