import type { Socket } from 'node:net'

/** The record of the last attempt, and the state of the delivery. */
export type Outcome = Readonly<{
  status: 'delivered' | 'waiting' | 'dead'
  statusCode: number | null
  error: string | null
  /** Stored part of the response. */
  body: string | RegExp | null
}>

/** One thing that a receiver may do. The tables of these are the suite and the page in docs/reference. */
export type Behaviour = Readonly<{
  /** In the words of the page, after "A receiver that". */
  receiver: string
  /** The page's row, where several behaviours share one; default: `receiver`. */
  row?: string
  /** Does this with every new connection. */
  accept?: (socket: Socket) => void
  /** Answers a request that has arrived whole. */
  answer: (socket: Socket, request: RequestNumber) => void
  /** Deliveries made one after the other; the outcome is the last one's. Default 1. */
  deliveries?: number
  /** Requests that arrive for them. Default: one a delivery. */
  requests?: number
  outcome: Outcome
}>

export type RequestNumber = Readonly<{ onConnection: number; overall: number }>

export const delivered = (statusCode: number, body: Outcome['body'] = null): Outcome => ({
  status: 'delivered',
  statusCode,
  error: null,
  body,
})
export const retried = (statusCode: number, body: Outcome['body'] = null): Outcome => ({
  status: 'waiting',
  statusCode,
  error: null,
  body,
})
export const dead = (statusCode: number, body: Outcome['body'] = null): Outcome => ({
  status: 'dead',
  statusCode,
  error: null,
  body,
})
/** No status line arrived. */
export const failed = (error: string): Outcome => ({ status: 'waiting', statusCode: null, error, body: null })

export const CRLF = '\r\n'

/** A whole answer that keeps the connection. */
export const whole = (statusCode: number, body = '', headers: readonly string[] = []): string =>
  [
    `HTTP/1.1 ${statusCode} Reason`,
    ...headers,
    ...(statusCode === 204 || statusCode === 304 ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join(CRLF)

/** Writes these bytes and leaves the connection open. */
export const writes =
  (bytes: string | Buffer): Behaviour['answer'] =>
  (socket) =>
    socket.write(bytes)

/** Writes as fast as the other side takes it, for as long as it does. */
export const flood = (socket: Socket, bytes: string | Buffer): void => {
  const pour = () => {
    while (!socket.destroyed && socket.writable && socket.write(bytes));
  }
  socket.on('drain', pour)
  pour()
}

const TRICKLE_MS = 25

/** Writes these bytes again and again, a little at a time. */
export const trickle = (socket: Socket, bytes: string): void => {
  const timer = setInterval(() => socket.write(bytes), TRICKLE_MS)
  socket.on('close', () => clearInterval(timer))
}
