import type { Socket } from 'node:net'

const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/
/** As long as the beginning that {@link CONTINUE} needs. */
const BEGINNING = 'HTTP/1.x 100 '
const HEADER_END = '\r\n\r\n'

const mayBeContinue = (beginning: string): boolean =>
  CONTINUE.test(beginning) ||
  (beginning.length < BEGINNING.length && 'HTTP/1.'.startsWith(beginning.slice(0, 7)))

const ONE = 0x31
/** Checks whether a response that begins with these bytes is not an interim one: the first digit of its code is not 1. */
const isFinal = (chunk: Buffer): boolean => chunk.length > BEGINNING.length && chunk[9] !== ONE

/**
 * Drops each `100 Continue` from what undici reads of a socket. Every client must skip an interim answer that it did not
 * request (RFC 9110 §15.2); undici skips those from 102 on, and ends the connection at a 100.
 * @returns a function to call when a request begins
 */
export const dropContinues = (socket: Socket): (() => void) => {
  const read = socket.read.bind(socket)
  /** Bytes of the response until it is known not to begin with a 100; then null. */
  let held: Buffer | null = Buffer.alloc(0)
  socket.read = (): Buffer | null => {
    const chunk = read() as Buffer | null
    if (chunk === null || held === null) return chunk
    if (held.length === 0 && isFinal(chunk)) {
      held = null
      return chunk
    }
    let rest: Buffer = Buffer.concat([held, chunk])
    while (mayBeContinue(rest.toString('latin1', 0, BEGINNING.length))) {
      const end = rest.indexOf(HEADER_END)
      if (end === -1) {
        held = rest
        return null
      }
      rest = rest.subarray(end + HEADER_END.length)
    }
    held = null
    return rest
  }
  return () => (held = Buffer.alloc(0))
}
