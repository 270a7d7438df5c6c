import { KeptBody } from './body.ts'
import { CR, LF } from './characters.ts'
import { Chunks } from './chunks.ts'
import { FloodError, MalformedAnswerError } from './failures.ts'
import { FieldLines } from './field-lines.ts'
import { Head } from './head.ts'
import { StatusLine } from './status-line.ts'

type Phase = 'status' | 'header' | 'length' | 'chunks' | 'untilClose' | 'complete' | 'nothingMore'

/** Room for 64 KiB of body in small chunks; a longer answer, interim ones included, only keeps the reader busy. */
const MAX_BYTES = 262_144

const [SWITCHING_PROTOCOLS, NO_CONTENT, NOT_MODIFIED] = [101, 204, 304]

/**
 * Reads one answer as it comes, in pieces of any size (RFC 9112). It refuses what llhttp refuses, at the same byte
 * (ADR 0055). Once the status code is known, nothing that follows changes it.
 */
export class AnswerParser {
  /** Null until the header of the final answer is complete; 101 as soon as its digits are there. */
  statusCode: number | null = null
  /** Whether the connection may carry another exchange, once this one is complete. */
  keepsConnection = false
  #phase: Phase = 'status'
  #bytes = 0
  /** Of a body of stated length, what is still to come. */
  #left = 0
  readonly #line = new StatusLine()
  readonly #head = new Head()
  readonly #lines = new FieldLines(this.#head)
  readonly #body = new KeptBody()
  readonly #chunks = new Chunks(this.#lines, this.#body)

  /** A request goes out: what comes next is its answer. */
  begin(): void {
    this.statusCode = null
    this.keepsConnection = false
    this.#bytes = 0
    this.#body.begin()
    this.#line.hasBegun = false
    this.#beginHead()
  }

  /** Whether any byte of an answer has come, of an interim one too; empty lines are none. */
  get hasBegun(): boolean {
    return this.#line.hasBegun
  }

  get retryAfter(): string | undefined {
    return this.statusCode === null ? undefined : this.#head.retryAfter
  }

  /** How long the receiver keeps an idle connection; null when it does not say. */
  get keepAliveMs(): number | null {
    return this.#head.keepAliveMs
  }

  get body(): Buffer {
    return this.#body.bytes
  }

  /**
   * Reads on. After the answer only empty lines may come, also before the next request.
   * @param chunk only borrowed: it may be overwritten afterwards
   * @returns whether the answer is complete
   * @throws MalformedAnswerError, LargeHeaderError, FloodError
   */
  read(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > MAX_BYTES) throw new FloodError('The receiver sends without end')
    let at = 0
    while (at < chunk.length && this.#phase !== 'complete') at = this.#readPhase(chunk, at)
    for (; at < chunk.length; at += 1) if (!isEmptyLine(chunk[at])) this.keepsConnection = false
    return this.#phase === 'complete'
  }

  /** The other side has ended the connection. @returns whether that completes the answer */
  end(): boolean {
    return this.#phase === 'untilClose'
  }

  #beginHead(): void {
    this.#phase = 'status'
    this.#line.begin()
    this.#head.begin()
  }

  #readPhase(chunk: Buffer, at: number): number {
    switch (this.#phase) {
      case 'status':
        return this.#readStatus(chunk, at)
      case 'header':
        return this.#readHeader(chunk, at)
      case 'length':
        return this.#readLength(chunk, at)
      case 'chunks':
        at = this.#chunks.read(chunk, at)
        if (this.#chunks.isDone) this.#phase = 'complete'
        return this.#unlessTooLong(at)
      case 'untilClose':
        this.#body.add(chunk, at, chunk.length)
        return this.#unlessTooLong(chunk.length)
      case 'nothingMore':
        if (isEmptyLine(chunk[at])) return at + 1
        throw new MalformedAnswerError('Bytes came after an interim answer that closes the connection')
      case 'complete':
        return at
    }
  }

  #readStatus(chunk: Buffer, from: number): number {
    const at = this.#line.read(chunk, from)
    if (this.#line.hasCode && this.#line.code === SWITCHING_PROTOCOLS) {
      // No HTTP answer follows.
      this.statusCode = SWITCHING_PROTOCOLS
      this.#phase = 'complete'
    } else if (this.#line.isDone) {
      this.#lines.begin(this.#head)
      this.#phase = 'header'
    }
    return at
  }

  #readHeader(chunk: Buffer, from: number): number {
    const at = this.#lines.read(chunk, from)
    if (!this.#lines.isDone) return at
    const { code } = this.#line
    if (code < 100) throw new MalformedAnswerError('The status code is below 100')
    const keepsConnection = this.#head.keepsConnection(this.#line.isPersistent)
    if (code < 200) {
      if (keepsConnection) this.#beginHead()
      else this.#phase = 'nothingMore'
      return at
    }
    this.statusCode = code
    this.keepsConnection = keepsConnection
    this.#beginBody(code)
    return at
  }

  /** Where the body ends (RFC 9112 §6.3). */
  #beginBody(code: number): void {
    const { contentLength, hasTransferEncoding, isChunked } = this.#head
    if (code === NO_CONTENT || code === NOT_MODIFIED) {
      // A body that is announced all the same may follow, and would be taken for the next answer.
      if (hasTransferEncoding || (contentLength ?? 0) > 0) this.keepsConnection = false
      this.#phase = 'complete'
    } else if (isChunked) {
      this.#chunks.begin()
      this.#phase = 'chunks'
    } else if (contentLength === null) {
      this.keepsConnection = false
      this.#phase = 'untilClose'
    } else {
      this.#left = contentLength
      this.#phase = contentLength === 0 ? 'complete' : 'length'
    }
  }

  #readLength(chunk: Buffer, at: number): number {
    const to = Math.min(chunk.length, at + this.#left)
    this.#body.add(chunk, at, to)
    this.#left -= to - at
    if (this.#left === 0) this.#phase = 'complete'
    return this.#unlessTooLong(to)
  }

  /** A body that is too long ends the answer and the connection. */
  #unlessTooLong(at: number): number {
    if (this.#body.isTooLong) {
      this.#phase = 'complete'
      this.keepsConnection = false
    }
    return at
  }
}

const isEmptyLine = (byte: number | undefined) => byte === CR || byte === LF
