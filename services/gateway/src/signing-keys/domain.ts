import type { SigningKeyRecord } from './store.ts'

/** Signature algorithm of access tokens (RFC 7518 §3.4). */
export const ALGORITHM = 'ES256'
/** A new key is published for this long before it signs; `jwks.json` may be cached half as long. */
export const PUBLISH_LEAD_MS = 10 * 60_000
/** Clocks of those who verify may be behind by this much. */
const SKEW_MS = 60_000

/** What a sealed private key is bound to. */
export const signingKeyContext = (kid: string): string => `signing-key:${kid}`

type Plan = Readonly<{ spentKids: readonly string[]; signsFrom: Date | null }>

/**
 * What a rotation has to do: forget the keys whose successor has signed for so long that no token of theirs lives,
 * and add a key when there is none, when the newest is old enough, or when told to.
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
