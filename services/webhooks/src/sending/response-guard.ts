import type { Socket } from 'node:net'

/** Notified of what arrives: the exchange under way. */
export type Listener = Readonly<{
  /** 101: no HTTP answer follows. */
  switched: () => void
  /** More bytes arrived than any answer may have. */
  flooded: () => void
}>

/** Room for 64 KiB of body in small chunks; a longer response only keeps the reader busy. */
const MAX_BYTES = 262_144

const CODE_AT = 'HTTP/1.1 '.length
const [CR, LF, ZERO, ONE, THREE] = [0x0d, 0x0a, 0x30, 0x31, 0x33]

/**
 * Reads the bytes of a connection beside the HTTP client, for two checks that the client does not make (ADR 0022). It
 * ends the connection at `100 Continue`, which every client has to skip (RFC 9110, 15.2): here the code becomes 103,
 * which it does skip. And it bounds the body, but neither interim responses nor chunk extensions.
 */
export class ResponseGuard {
  #listener: Listener | null = null
  #bytes = 0
  #phase: 'status' | 'interim' | 'final' = 'final'
  /** Bytes seen of the status line. */
  #seen = 0
  #lineIsEmpty = false
  #code = 0

  constructor(socket: Socket) {
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null
    socket.read = (size?: number) => {
      const chunk = read(size)
      return chunk === null || this.#passes(chunk) ? chunk : null
    }
  }

  /** A request goes out: what arrives next is its answer. */
  expect(listener: Listener): void {
    this.#listener = listener
    this.#bytes = 0
    this.#beginLine()
  }

  #beginLine(): void {
    this.#phase = 'status'
    this.#seen = 0
    this.#code = 0
  }

  /** @returns false when the client must not read on */
  #passes(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > MAX_BYTES) {
      this.#listener?.flooded()
      return false
    }
    for (let at = 0; at < chunk.length && this.#phase !== 'final'; at += 1) {
      if (this.#phase === 'interim') this.#skip(chunk[at] as number)
      else if (!this.#readStatus(chunk, at)) return false
    }
    return true
  }

  #readStatus(chunk: Buffer, at: number): boolean {
    const byte = chunk[at] as number
    if (this.#seen === 0 && (byte === CR || byte === LF)) return true
    this.#seen += 1
    if (this.#seen <= CODE_AT) return true
    this.#code = 10 * this.#code + byte - ZERO
    if (this.#seen === CODE_AT + 1 && byte !== ONE) this.#phase = 'final'
    if (this.#seen < CODE_AT + 3 || this.#phase === 'final') return true
    this.#phase = 'interim'
    this.#lineIsEmpty = false
    if (this.#code === 100) chunk[at] = THREE
    if (this.#code !== 101) return true
    this.#listener?.switched()
    return false
  }

  #skip(byte: number): void {
    if (byte === LF && this.#lineIsEmpty) this.#beginLine()
    else if (byte !== CR) this.#lineIsEmpty = byte === LF
  }
}
