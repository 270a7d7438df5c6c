import { PUBLISH_LEAD_MS } from '@causeway/contracts'
import type { SigningKeyRecord } from './store.ts'

/** Tolerated lag of a verifier's clock. */
const SKEW_MS = 60_000

/** The context to which a sealed private key is bound. */
export const signingKeyContext = (kid: string): string => `signing-key:${kid}`

type Plan = Readonly<{ spentKids: readonly string[]; signsFrom: Date | null }>

/**
 * Plans a rotation: delete the keys whose successor has signed for so long that all their tokens have expired, and add a
 * key when no key exists, when the newest is old enough, or on demand (`now`).
 * @param rows in the order in which they begin to sign
 */
export const planRotation = (
  rows: readonly Pick<SigningKeyRecord, 'kid' | 'signsFrom'>[],
  nowMs: number,
  rule: Readonly<{ tokenTtlMs: number; rotateAfterMs: number; now: boolean }>,
): Plan => {
  const spent = rows.filter((_, index) => {
    const successor = rows[index + 1]
    return successor !== undefined && successor.signsFrom.getTime() + rule.tokenTtlMs + SKEW_MS < nowMs
  })
  const newest = rows.at(-1)
  const spentKids = spent.map((row) => row.kid)
  if (newest === undefined) return { spentKids, signsFrom: new Date(nowMs) }
  const due = rule.now || newest.signsFrom.getTime() + rule.rotateAfterMs <= nowMs
  return { spentKids, signsFrom: due ? new Date(nowMs + PUBLISH_LEAD_MS) : null }
}
