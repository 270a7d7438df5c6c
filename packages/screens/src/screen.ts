import type { ErrorCode, ErrorDetail, Operation, Principal, StoredCsvOrXml } from '@causeway/contracts'
import type { z } from 'zod'
import type { Html } from './design/html.ts'
import type { PageLanguage } from './languages/tags.ts'
import type { Area, OpenedSession, OpeningFault, Session } from './session.ts'

/** The result of an operation: its reply, or the code of its refusal. */
export type Reply<O extends Operation> =
  | Readonly<{ ok: true; value: z.output<O['reply']> }>
  | Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/**
 * Calls an operation with the rights of the screen's user. Screens read and change data only through it.
 * @throws NotDoneError if it is certain that the operation had no effect
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

/** Opens sessions from credentials. Failures count towards the rate limit of the IP address, as on the API. */
export type SessionOpening = Readonly<{
  portalLink: (token: string) => Promise<OpenedSession | OpeningFault>
  staffKey: (key: string) => Promise<OpenedSession | OpeningFault>
}>

/** The parts of a request that a screen may use. */
export type ScreenRequest = Readonly<{
  ask: Ask
  /** Parameters of the path, undecoded: ids contain nothing to decode. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Fields of the posted form; empty for GET. */
  form: URLSearchParams
  open: SessionOpening
  /** Language of the page, if it exists in several. */
  language: PageLanguage
  /** `Last-Event-ID` of a browser that reconnects to a stream; null on the first request. */
  lastEventId: string | null
}>

/** A request with the session of its user. */
export type SessionRequest<P extends Principal = Principal> = ScreenRequest &
  Readonly<{ session: Session<P> }>

/** One message of a stream (HTML, "Server-sent events"). */
export type StreamMessage = Readonly<{ event: string; data: string; id?: string }>

/** The open connection of a stream. */
export type StreamWriter = Readonly<{
  /** Returns false once the browser has disconnected or stopped reading. */
  send: (message: StreamMessage) => boolean
  /** Ends the response. The browser reconnects unless it received an `end` message before. */
  end: () => void
  /** Aborted when either side has closed the connection. */
  closed: AbortSignal
}>

/** Sets the browser's session of an area; `opened: null` ends it. */
export type SessionChange = Readonly<{ area: Area; opened: OpenedSession | null }>

/** The response of a screen. A `stream` is refused with 503 when the process has reached its limit of streams. */
export type Answer =
  | Readonly<{ kind: 'page'; status: number; html: Html }>
  | Readonly<{ kind: 'redirect'; to: string; session?: SessionChange }>
  /** An error page for users. */
  | Readonly<{ kind: 'error'; code: ErrorCode }>
  /** A file to save, with a name in ASCII. */
  | Readonly<{ kind: 'file'; type: string; name: string; bytes: Uint8Array }>
  | Readonly<{ kind: 'stream'; run: (writer: StreamWriter) => void }>

type ScreenPath = Readonly<{
  method: 'GET' | 'POST'
  /** Parameters are written `:name`. */
  path: string
}>

/** A screen that needs no session. */
export type PublicScreen = ScreenPath &
  Readonly<{ area: null; answer: (request: ScreenRequest) => Promise<Answer> }>

/** A screen that needs a session of its area. Without one, the user is redirected to the sign-in page. */
export type SessionScreen = ScreenPath &
  Readonly<{ area: Area; answer: (request: SessionRequest) => Promise<Answer> }>

export type Screen = PublicScreen | SessionScreen

/** The file of an upload form: where the gateway has stored it, as the body of an import names it, or the refusal. */
export type UploadedFile =
  | Readonly<{ ok: true; file: z.infer<typeof StoredCsvOrXml>['file'] }>
  | Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/** A request with a file; `form` has the other fields. */
export type UploadRequest<P extends Principal = Principal> = Pick<
  SessionRequest<P>,
  'ask' | 'session' | 'form'
>

/** A form of the console with a file. The form token is in the query. */
export type UploadScreen = Readonly<{
  path: string
  /** The import. A person whose role may not call it is refused before the file is read. */
  operation: Operation
  answer: (request: UploadRequest, uploaded: UploadedFile) => Promise<Answer>
}>

/** Declares a screen that needs no session. */
export const publicScreen = (screen: Omit<PublicScreen, 'area'>): PublicScreen => ({ ...screen, area: null })

type KindOf = Readonly<{ console: 'staff'; portal: 'partner' | 'merchant' }>
type PrincipalOf<A extends Area> = Extract<Principal, { kind: KindOf[A] }>

const KINDS: Readonly<Record<Area, readonly Principal['kind'][]>> = {
  console: ['staff'],
  portal: ['partner', 'merchant'],
}

/** True if a principal may open the screens of an area: portal sessions cannot open the console. */
export const isOfArea = (area: Area, principal: Principal): boolean => KINDS[area].includes(principal.kind)

/** Sign-in page of each area. */
export const SIGN_IN_PATHS: Readonly<Record<Area, string>> = {
  console: '/console/sign-in',
  portal: '/portal/sign-in',
}

/** Declares a screen of an area. The gateway passes it only sessions of that area (see {@link isOfArea}). */
export const sessionScreen = <A extends Area>(
  area: A,
  screen: ScreenPath & Readonly<{ answer: (request: SessionRequest<PrincipalOf<A>>) => Promise<Answer> }>,
): SessionScreen => ({
  ...screen,
  area,
  answer: (request) => screen.answer(request as SessionRequest<PrincipalOf<A>>),
})

/** Declares a form of the console with a file. The gateway passes it only sessions of staff. */
export const uploadScreen = (
  screen: Omit<UploadScreen, 'answer'> &
    Readonly<{
      answer: (request: UploadRequest<PrincipalOf<'console'>>, uploaded: UploadedFile) => Promise<Answer>
    }>,
): UploadScreen => ({
  ...screen,
  answer: (request, uploaded) => screen.answer(request as UploadRequest<PrincipalOf<'console'>>, uploaded),
})
