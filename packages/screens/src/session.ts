import type { accessPeople, ErrorCode, ErrorDetail, PortalRole, Principal } from '@causeway/contracts'
import type { z } from 'zod'
import type { PageBrand } from './design/index.ts'

/** Areas with sessions. Each has a separate cookie, so one browser can be signed in to both. */
export const AREAS = ['console', 'portal'] as const
export type Area = (typeof AREAS)[number]

/** A newly opened session. Its token goes only into the browser's cookie. */
export type OpenedSession = Readonly<{ token: string; expiresAt: Date; principal: Principal }>

/** The session of a request. */
export type Session<P extends Principal = Principal> = Readonly<{
  principal: P
  /** Value of the field {@link FORM_TOKEN} of every form, which prevents cross-site request forgery. */
  formToken: string
  /** The brand that pages of the area show to the principal; null in the console. */
  brand: PageBrand
  /** Reads the image of a logo as base64; null if it is gone or cannot be read now. */
  readLogo: (contentHash: string) => Promise<string | null>
  /** Lists the active sessions of the same staff user, partner or merchant. */
  listOwn: () => Promise<readonly OwnSession[]>
  /** The people that the person of a portal session may manage; others find nothing. */
  people: PeopleOfSession
  /** Ends one of those sessions; returns false if the id is not one of them. */
  endOwn: (sessionId: string) => Promise<boolean>
}>

type Judged<R extends z.ZodType> =
  | Readonly<{ ok: true; value: z.output<R> }>
  | Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>
type OfPeople<M extends keyof typeof accessPeople> = Promise<Judged<(typeof accessPeople)[M]['reply']>>

/** The e-mail that a person wants; kinds of notices that it does not name stay as they are. */
type Preferences = Omit<z.input<(typeof accessPeople)['updatePreferences']['body']>, 'principal'>

/** Acts of a person of the portal on the people of its partner or merchant. Access checks the person's role in each. */
export type PeopleOfSession = Readonly<{
  list: () => OfPeople<'list'>
  invite: (email: string, role: PortalRole) => OfPeople<'invite'>
  update: (personId: string, role: PortalRole) => OfPeople<'update'>
  remove: (personId: string) => OfPeople<'remove'>
  getPreferences: () => OfPeople<'getPreferences'>
  updatePreferences: (preferences: Preferences) => OfPeople<'updatePreferences'>
}>

/** A session as shown to its owner. */
export type OwnSession = Readonly<{ sessionId: string; createdAt: Date; lastSeenAt: Date; expiresAt: Date }>

/** Name of the hidden field that proves that a form came from a page of the session. */
export const FORM_TOKEN = 'form_token'

/** Reason why no session was opened. `refused`: the credential is unknown, used or expired. */
export type OpeningFault = 'refused' | 'rate_limited'
