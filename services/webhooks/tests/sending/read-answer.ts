import { AnswerParser } from '../../src/sending/answer/parser.ts'

export const CRLF = '\r\n'
/** Lines, joined as HTTP joins them. */
export const lines = (...all: readonly string[]) => all.join(CRLF)
export const OK = 'HTTP/1.1 200 OK'
export const CHUNKED = 'transfer-encoding: chunked'

/** What a parser says after these pieces: `open` while it wants more, and the failure's name where it refuses. */
export const readPieces = (pieces: readonly Buffer[]) => {
  const parser = new AnswerParser()
  parser.begin()
  let state: string = 'open'
  for (const piece of pieces) {
    try {
      if (!parser.read(piece)) continue
      state = 'complete'
    } catch (error) {
      state = (error as Error).name
    }
    break
  }
  const { statusCode, keepsConnection, retryAfter, hasBegun } = parser
  return { state, statusCode, keepsConnection, retryAfter, hasBegun, body: parser.body.toString('latin1') }
}
export const read = (text: string) => readPieces([Buffer.from(text, 'latin1')])
