import { CR, isDigit, LF, SP } from './characters.ts'
import { MalformedAnswerError } from './failures.ts'

const PROTOCOL = Buffer.from('HTTP/')
const DOT = 0x2e
const ZERO = 0x30
/** Positions behind the protocol's name. */
const [MAJOR, POINT, MINOR, CODE, BEHIND_CODE, REASON, END] = [5, 6, 7, 9, 12, 13, 14] as const
const DONE = 15
/** Of HTTP/2.0 and HTTP/0.9 llhttp takes what looks like HTTP/1: so did every delivery up to now. */
const VERSIONS = new Set(['0.9', '1.0', '1.1', '2.0'])

/** Reads a status line, the empty lines before it included (RFC 9112 §2.2 and §4). */
export class StatusLine {
  #position = 0
  #major = 0
  #minor = 0
  code = 0
  /** Whether any byte but those of empty lines has come. */
  hasBegun = false

  get isDone(): boolean {
    return this.#position === DONE
  }

  /** All digits of the code are known, though not the rest of the line. */
  get hasCode(): boolean {
    return this.#position >= BEHIND_CODE
  }

  /** HTTP/1.1 keeps a connection unless told otherwise; HTTP/1.0 closes it. */
  get isPersistent(): boolean {
    return this.#major > 0 && this.#minor > 0
  }

  begin(): void {
    this.#position = 0
    this.code = 0
  }

  /** @returns where it stopped reading: at the end of the chunk, or behind the line; 101 ends it at its last digit */
  read(chunk: Buffer, at: number): number {
    for (; at < chunk.length && this.#position !== DONE; at += 1) {
      this.#step(chunk[at] as number)
      if (this.#position === BEHIND_CODE && this.code === 101) return at + 1
    }
    return at
  }

  #step(byte: number): void {
    const position = this.#position
    if (position === REASON) this.#readReason(byte)
    else if (position >= CODE && position < BEHIND_CODE) this.#readDigit(byte)
    else if (position < MAJOR) this.#readProtocol(byte)
    else if (position < CODE) this.#readVersion(byte)
    else if (position === END) this.#expect(byte === LF)
    else {
      this.#expect(byte === SP || byte === CR)
      if (byte === CR) this.#position = END
    }
  }

  #expect(isRight: boolean): void {
    if (!isRight) throw new MalformedAnswerError('The answer has no status line of HTTP/1.1')
    this.#position += 1
  }

  #readProtocol(byte: number): void {
    if (this.#position === 0 && (byte === CR || byte === LF)) return
    this.hasBegun = true
    this.#expect(byte === PROTOCOL[this.#position])
  }

  #readVersion(byte: number): void {
    if (this.#position === MAJOR) {
      this.#major = byte - ZERO
      this.#expect(isDigit(byte))
    } else if (this.#position === POINT) this.#expect(byte === DOT)
    else if (this.#position === MINOR) {
      this.#minor = byte - ZERO
      this.#expect(isDigit(byte) && VERSIONS.has(`${this.#major}.${this.#minor}`))
    } else this.#expect(byte === SP)
  }

  #readDigit(byte: number): void {
    this.code = this.code * 10 + byte - ZERO
    this.#expect(isDigit(byte))
  }

  #readReason(byte: number): void {
    if (byte === LF) throw new MalformedAnswerError('The status line ends without CR')
    if (byte === CR) this.#position = END
  }
}
