import type { ErrorCode, ErrorDetail, Operation } from '@causeway/contracts'
import type { z } from 'zod'
import type { Html } from './design/html.ts'

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
  input: Readonly<{ params?: z.input<O['params']>; body?: z.input<O['body']> }>,
) => Promise<Reply<O>>

/** What a screen sees of a request. */
export type ScreenRequest = Readonly<{
  ask: Ask
  /** Parameters of the path, undecoded: ids contain nothing to decode. */
  params: Readonly<Record<string, string>>
  /** `Last-Event-ID` of a browser that asks for a stream again; null at its first request. */
  lastEventId: string | null
}>

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

/** How a screen answers. A `stream` is refused with 503 when the process has as many as it may hold. */
export type Answer =
  | Readonly<{ kind: 'page'; status: number; html: Html }>
  | Readonly<{ kind: 'redirect'; to: string }>
  /** A page with the error in the words of people. */
  | Readonly<{ kind: 'error'; code: ErrorCode }>
  | Readonly<{ kind: 'stream'; run: (writer: StreamWriter) => void }>

/** A path of the browser's, with what answers it. */
export type Screen = Readonly<{
  method: 'GET' | 'POST'
  /** Parameters are written `:name`. */
  path: string
  answer: (request: ScreenRequest) => Promise<Answer>
}>
