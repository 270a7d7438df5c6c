import type { ErrorCode, ErrorDetail, Operation } from '@causeway/contracts'
import type { z } from 'zod'
import type { Html } from './design/html.ts'
import type { Area, OpenedSession, OpeningFault, Principal, Session } from './session.ts'

/** What an operation answered: its reply, or the code of its refusal. */
export type Reply<O extends Operation> =
  | Readonly<{ ok: true; value: z.output<O['reply']> }>
  | Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/**
 * Calls an operation as the caller of the screen, with that caller's rights and no others: the only way in which a
 * screen learns or changes anything.
 * @throws NotDoneError when provably nothing was done
 */
export type Ask = <O extends Operation>(
  operation: O,
  input: Readonly<{
    params?: z.input<O['params']>
    query?: z.input<O['query']>
    body?: z.input<O['body']>
    idempotencyKey?: string
  }>,
) => Promise<Reply<O>>

/** Opens sessions by what people bring. Failures are counted by address, as those of the API's credentials are. */
export type SessionOpening = Readonly<{
  portalLink: (token: string) => Promise<OpenedSession | OpeningFault>
  staffKey: (key: string) => Promise<OpenedSession | OpeningFault>
}>

/** What a screen sees of a request. */
export type ScreenRequest = Readonly<{
  ask: Ask
  /** Parameters of the path, undecoded: ids contain nothing to decode. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Fields of a form that was posted; empty for GET. */
  form: URLSearchParams
  open: SessionOpening
  /** `Last-Event-ID` of a browser that asks for a stream again; null at its first request. */
  lastEventId: string | null
}>

/** What a screen of an area sees: whose session it is, too. */
export type SessionRequest<P extends Principal = Principal> = ScreenRequest &
  Readonly<{ session: Session<P> }>

/** One message of a stream (HTML, "Server-sent events"). */
export type StreamMessage = Readonly<{ event: string; data: string; id?: string }>

/** The open connection of a stream. */
export type StreamWriter = Readonly<{
  /** False once the browser has gone or reads nothing any more. */
  send: (message: StreamMessage) => boolean
  /** Ends the answer; the browser does not ask again if it was told so before. */
  end: () => void
  /** Aborted when the connection has ended, whoever ended it. */
  closed: AbortSignal
}>

/** The session that the browser of an area has from now on; `opened` null ends the one that it had. */
export type SessionChange = Readonly<{ area: Area; opened: OpenedSession | null }>

/** How a screen answers. A `stream` is refused with 503 when the process has as many as it may hold. */
export type Answer =
  | Readonly<{ kind: 'page'; status: number; html: Html }>
  | Readonly<{ kind: 'redirect'; to: string; session?: SessionChange }>
  /** A page with the error in the words of people. */
  | Readonly<{ kind: 'error'; code: ErrorCode }>
  | Readonly<{ kind: 'stream'; run: (writer: StreamWriter) => void }>

type ScreenPath = Readonly<{
  method: 'GET' | 'POST'
  /** Parameters are written `:name`. */
  path: string
}>

/** A path of the browser's that anybody may open, with what answers it. */
export type PublicScreen = ScreenPath &
  Readonly<{ area: null; answer: (request: ScreenRequest) => Promise<Answer> }>

/** A path that needs a session of its area. Without one a person is sent to where it signs in. */
export type SessionScreen = ScreenPath &
  Readonly<{ area: Area; answer: (request: SessionRequest) => Promise<Answer> }>

export type Screen = PublicScreen | SessionScreen

/** Declares a screen that anybody may open. */
export const publicScreen = (screen: Omit<PublicScreen, 'area'>): PublicScreen => ({ ...screen, area: null })

type KindOf = Readonly<{ console: 'staff'; portal: 'partner' | 'merchant' }>
type PrincipalOf<A extends Area> = Extract<Principal, { kind: KindOf[A] }>

const KINDS: Readonly<Record<Area, readonly Principal['kind'][]>> = {
  console: ['staff'],
  portal: ['partner', 'merchant'],
}

/** Whether a session may open the screens of an area: one of the portal opens nothing of the console. */
export const isOfArea = (area: Area, principal: Principal): boolean => KINDS[area].includes(principal.kind)

/** Where a person without a session of an area is sent. */
export const SIGN_IN_PATHS: Readonly<Record<Area, string>> = {
  console: '/console/sign-in',
  portal: '/portal/sign-in',
}

/** Declares a screen of an area. The gateway passes it sessions of that area alone (see {@link isOfArea}). */
export const sessionScreen = <A extends Area>(
  area: A,
  screen: ScreenPath & Readonly<{ answer: (request: SessionRequest<PrincipalOf<A>>) => Promise<Answer> }>,
): SessionScreen => ({
  ...screen,
  area,
  answer: (request) => screen.answer(request as SessionRequest<PrincipalOf<A>>),
})
