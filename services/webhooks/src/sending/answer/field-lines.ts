import { COLON, CR, FIELD_TEXT, HT, isDigit, LF, SP, TOKEN } from './characters.ts'
import { LargeHeaderError, MalformedAnswerError } from './failures.ts'

/** What is to be done with a field's value. */
export type Wanted = 'skipped' | 'kept' | 'length'

/** Told of fields as they are read. */
export type FieldReader = Readonly<{
  /** The name is complete, in lower case. @throws MalformedAnswerError when it may not stand here */
  named: (name: string) => Wanted
  /** A value that is kept, white space at its end included; latin1. */
  valued: (name: string, value: string) => void
  measured: (length: number) => void
}>

type State =
  'start' | 'name' | 'space' | 'value' | 'length' | 'lengthEnd' | 'valueCr' | 'next' | 'endCr' | 'done'

/** Names and values together, as Node.js and undici bound them. */
const MAX_BYTES = 16_384
/** Names of other lengths are none that anybody wants. */
const [SHORTEST_NAME, LONGEST_NAME] = ['connection'.length, 'transfer-encoding'.length]
/** Lengths are 64 bits wide. Of those below, the last thousand are refused too: a double cannot tell them from it. */
const TOO_LONG = 2 ** 64

/**
 * Reads the lines of a header or of trailers, byte by byte, up to the empty line behind them (RFC 9112 §5). As strict
 * as llhttp: no bare LF, no folded line, no white space around a name, no control characters in a value.
 */
export class FieldLines {
  #state: State = 'start'
  #wanted: Wanted = 'skipped'
  /** What came in earlier chunks of the name or value that is being read. */
  #text = ''
  #name = ''
  /** Where the name or value begins in this chunk. */
  #from = 0
  #length = 0
  #hasLength = false
  #isEmpty = true
  #size = 0
  #reader: FieldReader

  constructor(reader: FieldReader) {
    this.#reader = reader
  }

  get isDone(): boolean {
    return this.#state === 'done'
  }

  begin(reader: FieldReader): void {
    this.#reader = reader
    this.#state = 'start'
    this.#text = ''
    this.#hasLength = false
    this.#size = 0
  }

  /** @returns where it stopped reading: at the end of the chunk, or behind the empty line */
  read(chunk: Buffer, at: number): number {
    this.#from = at
    while (at < chunk.length && this.#state !== 'done') at = this.#step(chunk, at)
    if (this.#state === 'name' || this.#state === 'value' || this.#state === 'length') this.#take(chunk, at)
    return at
  }

  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number
    switch (this.#state) {
      case 'start':
        if (byte === CR) return this.#go('endCr', at + 1)
        if (TOKEN[byte] === 0) throw new MalformedAnswerError('A line of the header has no name')
        this.#from = at
        return this.#go('name', at)
      case 'name':
        return this.#readName(chunk, at)
      case 'space':
        return this.#readSpace(byte, at)
      case 'value':
        return this.#readValue(chunk, at)
      case 'length':
        return this.#readLength(chunk, at)
      case 'lengthEnd':
        if (byte === SP) return at + 1
        if (byte === CR) return this.#go('valueCr', at + 1)
        throw new MalformedAnswerError('A content-length is no number')
      case 'valueCr':
        if (byte === LF) return this.#go('next', at + 1)
        throw new MalformedAnswerError('A line of the header has no LF')
      case 'next':
        return this.#finish(byte, at)
      case 'endCr':
        if (byte === LF) return this.#go('done', at + 1)
        throw new MalformedAnswerError('The header has no LF at its end')
      case 'done':
        return at
    }
  }

  #go(state: State, at: number): number {
    this.#state = state
    return at
  }

  #readName(chunk: Buffer, at: number): number {
    while (at < chunk.length && TOKEN[chunk[at] as number] === 1) at += 1
    if (at === chunk.length) return at
    if (chunk[at] !== COLON) throw new MalformedAnswerError('A name in the header is malformed')
    this.#count(at - this.#from)
    const length = this.#text.length + at - this.#from
    const isShort = length >= SHORTEST_NAME && length <= LONGEST_NAME
    this.#name = isShort ? (this.#text + chunk.toString('latin1', this.#from, at)).toLowerCase() : ''
    this.#wanted = isShort ? this.#reader.named(this.#name) : 'skipped'
    this.#text = ''
    this.#isEmpty = true
    return this.#go('space', at + 1)
  }

  #readSpace(byte: number, at: number): number {
    if (byte === SP || byte === HT) return at + 1
    if (byte === CR) return this.#go('valueCr', at + 1)
    if (byte === LF) throw new MalformedAnswerError('A line of the header ends without CR')
    this.#from = at
    this.#isEmpty = false
    if (this.#wanted !== 'length') return this.#go('value', at)
    if (this.#hasLength) throw new MalformedAnswerError('The header has two content-lengths')
    if (!isDigit(byte)) throw new MalformedAnswerError('A content-length is no number')
    this.#length = 0
    return this.#go('length', at)
  }

  #readValue(chunk: Buffer, at: number): number {
    while (at < chunk.length && FIELD_TEXT[chunk[at] as number] === 1) at += 1
    if (at === chunk.length) return at
    this.#take(chunk, at)
    if (chunk[at] !== CR) throw new MalformedAnswerError('A value in the header is malformed')
    return this.#go('valueCr', at + 1)
  }

  #readLength(chunk: Buffer, at: number): number {
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (!isDigit(byte)) break
      this.#length = this.#length * 10 + byte - 0x30
      if (this.#length >= TOO_LONG) throw new MalformedAnswerError('A content-length is too large')
    }
    if (at === chunk.length) return at
    this.#take(chunk, at)
    return this.#go('lengthEnd', at)
  }

  /** A line that begins with white space would continue the one before it: nobody sends that any more. */
  #finish(byte: number, at: number): number {
    if (byte === SP || byte === HT) throw new MalformedAnswerError('A line of the header is folded')
    if (this.#wanted === 'length') {
      if (this.#isEmpty) throw new MalformedAnswerError('A content-length is empty')
      this.#hasLength = true
      this.#reader.measured(this.#length)
    } else if (this.#wanted === 'kept') this.#reader.valued(this.#name, this.#text)
    this.#text = ''
    return this.#go('start', at)
  }

  /** Takes what this chunk has of a name or a value, up to `to`. */
  #take(chunk: Buffer, to: number): void {
    this.#count(to - this.#from)
    const isKept = this.#state === 'name' ? this.#text.length <= LONGEST_NAME : this.#wanted === 'kept'
    if (isKept) this.#text += chunk.toString('latin1', this.#from, to)
  }

  #count(bytes: number): void {
    this.#size += bytes
    if (this.#size >= MAX_BYTES) throw new LargeHeaderError('The header is longer than is read')
  }
}
