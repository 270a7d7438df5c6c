import type { KeptBody } from './body.ts'
import {
  BACKSLASH,
  CR,
  EQUALS,
  FIELD_TEXT,
  HEX_VALUE,
  LF,
  QUOTE,
  QUOTED_TEXT,
  SEMICOLON,
  SP,
  TOKEN,
} from './characters.ts'
import { MalformedAnswerError } from './failures.ts'
import { TRAILERS } from './head.ts'
import type { FieldLines } from './field-lines.ts'

type State =
  | 'size'
  | 'moreSize'
  | 'extension'
  | 'extensionName'
  | 'extensionValue'
  | 'quoted'
  | 'quotedPair'
  | 'quotedEnd'
  | 'sizeCr'
  | 'data'
  | 'dataCr'
  | 'dataLf'
  | 'trailers'

/** Sizes are 64 bits wide. */
const TOO_LARGE = 2 ** 64

const wrong = (what: string) => new MalformedAnswerError(`A chunk has ${what}`)

/** Reads a body in chunks, with extensions and trailers, both of which say nothing that is wanted (RFC 9112 §7.1). */
export class Chunks {
  #state: State = 'size'
  /** Bytes that are still to come of the chunk. */
  #left = 0
  readonly #lines: FieldLines
  readonly #body: KeptBody

  constructor(lines: FieldLines, body: KeptBody) {
    this.#lines = lines
    this.#body = body
  }

  get isDone(): boolean {
    return this.#state === 'trailers' && this.#lines.isDone
  }

  begin(): void {
    this.#state = 'size'
  }

  /** @returns where it stopped reading: at the end of the chunk, behind the body, or where it is too long */
  read(chunk: Buffer, at: number): number {
    while (at < chunk.length && !this.isDone && !this.#body.isTooLong) {
      if (this.#state === 'data') at = this.#readData(chunk, at)
      else if (this.#state === 'trailers') at = this.#lines.read(chunk, at)
      else {
        this.#state = this.#next(this.#state, chunk[at] as number)
        at += 1
      }
    }
    return at
  }

  #readData(chunk: Buffer, at: number): number {
    const to = Math.min(chunk.length, at + this.#left)
    this.#body.add(chunk, at, to)
    this.#left -= to - at
    if (this.#left === 0) this.#state = 'dataCr'
    return to
  }

  #next(state: Exclude<State, 'data' | 'trailers'>, byte: number): State {
    switch (state) {
      case 'size':
        this.#left = 0
        return this.#addDigit(byte) ?? reject('no size')
      case 'moreSize':
        return this.#addDigit(byte) ?? afterSize(byte)
      case 'sizeCr':
        return byte === LF ? this.#beginData() : reject('no LF behind its size')
      case 'dataCr':
        return byte === CR ? 'dataLf' : reject('more bytes than its size')
      case 'dataLf':
        return byte === LF ? 'size' : reject('no LF at its end')
      case 'extension':
      case 'extensionName':
      case 'extensionValue':
      case 'quoted':
      case 'quotedPair':
      case 'quotedEnd':
        return nextInExtension(state, byte)
    }
  }

  #addDigit(byte: number): State | null {
    const digit = HEX_VALUE[byte] as number
    if (digit < 0) return null
    this.#left = this.#left * 16 + digit
    return this.#left >= TOO_LARGE ? reject('a size that is too large') : 'moreSize'
  }

  #beginData(): State {
    if (this.#left > 0) return 'data'
    this.#lines.begin(TRAILERS)
    return 'trailers'
  }
}

const reject = (what: string): never => {
  throw wrong(what)
}

const afterSize = (byte: number): State => {
  if (byte === CR) return 'sizeCr'
  return byte === SEMICOLON ? 'extension' : reject('a malformed size')
}

/** What ends a name, a value or a quoted value. */
const afterExtension = (byte: number): State => {
  if (byte === CR) return 'sizeCr'
  return byte === SEMICOLON ? 'extension' : reject('a malformed extension')
}

const nextInExtension = (
  state: 'extension' | 'extensionName' | 'extensionValue' | 'quoted' | 'quotedPair' | 'quotedEnd',
  byte: number,
): State => {
  switch (state) {
    case 'extension':
      if (byte === SP || byte === CR) return reject('an empty extension')
      return nextInExtension('extensionName', byte)
    case 'extensionName':
      if (TOKEN[byte] === 1) return 'extensionName'
      return byte === EQUALS ? 'extensionValue' : afterExtension(byte)
    case 'extensionValue':
      if (TOKEN[byte] === 1) return 'extensionValue'
      return byte === QUOTE ? 'quoted' : afterExtension(byte)
    case 'quoted':
      if (QUOTED_TEXT[byte] === 1) return 'quoted'
      if (byte === QUOTE) return 'quotedEnd'
      return byte === BACKSLASH ? 'quotedPair' : reject('a malformed extension')
    case 'quotedPair':
      return FIELD_TEXT[byte] === 1 ? 'quoted' : reject('a malformed extension')
    case 'quotedEnd':
      return afterExtension(byte)
  }
}
