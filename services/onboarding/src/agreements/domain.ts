import { refuse } from '@causeway/chassis'
import type { Agreement, Refusal } from '@causeway/contracts'

/** How far a partner's clock may be ahead (decisions §5). */
const MAX_AHEAD_MS = 5 * 60_000

type Accepted = Readonly<{ agreement_version: string }>

/** A customer's standing on one agreement (spec: Agreement status). */
export const standingOn = <A extends Accepted>(
  currentVersion: string,
  acceptances: readonly A[],
): Readonly<{ status: Agreement['status']; current: A | null; previous: readonly A[] }> => {
  const current = acceptances.find((acceptance) => acceptance.agreement_version === currentVersion) ?? null
  const previous = acceptances.filter((acceptance) => acceptance !== current)
  const status = current ? 'accepted' : previous.length > 0 ? 'superseded' : 'required'
  return { status, current, previous }
}

/** Judges what a request alone shows; nobody accepted anything here before 1970. */
export const judgeAcceptedAt = (acceptedAt: Date, now: Date): Refusal<'invalid_request'> | null =>
  acceptedAt.getTime() > now.getTime() + MAX_AHEAD_MS || acceptedAt.getTime() < 0
    ? refuse('invalid_request', [{ field: 'accepted_at', reason: 'invalid_value' }])
    : null

/** Only the current version can be accepted anew (decisions §5). */
export const judgeVersion = (accepted: string, current: string): Refusal<'invalid_state'> | null =>
  accepted === current
    ? null
    : refuse('invalid_state', [
        { field: 'agreement_version', reason: 'not_current', current_version: current },
      ])

const PDF_HEADER = '%PDF-'

/** Type under which a published document is served: never one that a browser would run. */
export const contentTypeOf = (content: Buffer): string => {
  if (content.subarray(0, PDF_HEADER.length).toString('latin1') === PDF_HEADER) return 'application/pdf'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return 'text/plain; charset=utf-8'
  } catch {
    return 'application/octet-stream'
  }
}

type Recorded = Readonly<{ acceptance_id: string; evidence_bytes: number }>

/**
 * Which previous acceptances are shown with their evidence: the newest, as long as it fits.
 * @param previous newest first
 * @param room in bytes
 */
export const withEvidence = (previous: readonly Recorded[], room: number): ReadonlySet<string> => {
  const shown = new Set<string>()
  let left = room
  for (const { acceptance_id: id, evidence_bytes: bytes } of previous) {
    left -= bytes
    if (left < 0) break
    shown.add(id)
  }
  return shown
}
