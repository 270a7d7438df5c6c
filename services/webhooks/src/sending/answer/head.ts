import type { FieldReader, Wanted } from './field-lines.ts'
import { MalformedAnswerError } from './failures.ts'

/** What a header says of the connection and of the body's end. */
export class Head implements FieldReader {
  retryAfter: string | undefined
  /** Null when none is stated. */
  contentLength: number | null = null
  hasTransferEncoding = false
  isChunked = false
  #saysClose = false
  #saysKeepAlive = false
  #keepAlive: string | null = null

  begin(): void {
    this.retryAfter = undefined
    this.contentLength = null
    this.hasTransferEncoding = false
    this.isChunked = false
    this.#saysClose = false
    this.#saysKeepAlive = false
    this.#keepAlive = null
  }

  /** Whether the connection stays, as far as the header says (RFC 9112 §9.3). */
  keepsConnection(isPersistent: boolean): boolean {
    return isPersistent ? !this.#saysClose : this.#saysKeepAlive
  }

  /** How long the receiver keeps an idle connection; null when it does not say. */
  get keepAliveMs(): number | null {
    const seconds = /(?:^|,)[\t ]*timeout=(\d+)/i.exec(this.#keepAlive ?? '')?.[1]
    return seconds === undefined ? null : Number(seconds) * 1_000
  }

  named(name: string): Wanted {
    switch (name) {
      case 'connection':
      case 'proxy-connection':
      case 'keep-alive':
        return 'kept'
      case 'retry-after':
        // Of several the first counts.
        return this.retryAfter === undefined ? 'kept' : 'skipped'
      case 'transfer-encoding':
        // Both together are how answers are smuggled (RFC 9112 §6.3).
        if (this.contentLength !== null) throw new MalformedAnswerError('Length and coding are both stated')
        return 'kept'
      case 'content-length':
        if (this.hasTransferEncoding) throw new MalformedAnswerError('Coding and length are both stated')
        return 'length'
      default:
        return 'skipped'
    }
  }

  valued(name: string, value: string): void {
    if (name === 'retry-after') this.retryAfter = value
    else if (name === 'keep-alive')
      this.#keepAlive = this.#keepAlive === null ? value : `${this.#keepAlive},${value}`
    else if (name === 'transfer-encoding') this.#readCoding(value)
    else
      for (const option of value.split(',')) {
        const text = option.replace(/^[\t ]+|[\t ]+$/g, '').toLowerCase()
        if (text === 'close') this.#saysClose = true
        if (text === 'keep-alive') this.#saysKeepAlive = true
      }
  }

  measured(length: number): void {
    this.contentLength = length
  }

  #readCoding(value: string): void {
    if (value === '') return
    this.hasTransferEncoding = true
    this.isChunked = ENDS_IN_CHUNKED.test(value)
  }
}

/** Whether the last coding is `chunked`; after any other, the body ends with the connection (RFC 9112 §6.3). */
const ENDS_IN_CHUNKED = /(?:^|,)[\t ]*chunked *$/i

/** Trailers say nothing that is wanted; a length may not stand there. */
export const TRAILERS: FieldReader = {
  named: (name) => {
    if (name === 'content-length') throw new MalformedAnswerError('A trailer states a length')
    return 'skipped'
  },
  valued: () => undefined,
  measured: () => undefined,
}
