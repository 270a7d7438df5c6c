import type { StaffRole } from '@causeway/contracts'

/** Parts of the screens that have sessions, each with a cookie of its own: one browser may be signed in to both. */
export const AREAS = ['console', 'portal'] as const
export type Area = (typeof AREAS)[number]

/** Whom a session acts for; of staff with the role, and the name that the audit log shows. */
export type Principal =
  | Readonly<{ kind: 'partner'; partnerId: string }>
  | Readonly<{ kind: 'merchant'; merchantId: string }>
  | Readonly<{ kind: 'staff'; actor: string; role: StaffRole }>

/** A session that was opened just now; the token is for the browser's cookie alone. */
export type OpenedSession = Readonly<{ token: string; expiresAt: Date; principal: Principal }>

/** The session of a request. */
export type Session<P extends Principal = Principal> = Readonly<{
  principal: P
  /** Value of the field {@link FORM_TOKEN} of every form: another site cannot know it. */
  formToken: string
  /** The live sessions of the same person, or of the same partner's or merchant's people. */
  listOwn: () => Promise<readonly OwnSession[]>
  /** Ends one of them; false where it is not one of them. */
  endOwn: (sessionId: string) => Promise<boolean>
}>

/** A session as its own people see it. */
export type OwnSession = Readonly<{ sessionId: string; createdAt: Date; lastSeenAt: Date; expiresAt: Date }>

/** Name of the hidden field that proves that a form came from a page of the session. */
export const FORM_TOKEN = 'form_token'

/** Why no session was opened. `refused`: the credential is unknown, used up or expired alike. */
export type OpeningFault = 'refused' | 'rate_limited'
