import { ERRORS } from '@causeway/contracts'
import { errorPage, type Answer } from '@causeway/screens'
import { send, sendError } from '../http/answer.ts'
import { sendEarlyContent } from '../http/early-answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { languageHeaders, pageLanguage } from '../http/page-language.ts'
import { FILE_SECURITY, SCREEN_SECURITY, type FlatHeaders } from '../http/security-headers.ts'
import type { EventStreams } from './event-stream.ts'
import type { SessionCookies } from '../auth/session-cookie.ts'

/** Dependencies of screens' responses in addition to the exchange. */
export type Sending = Readonly<{ streams: EventStreams; cookies: SessionCookies }>

/** After a sign-out the browser forgets the pages; the cookie is expired by name, so that other areas keep theirs. */
const SIGNED_OUT = ['Clear-Site-Data', '"cache", "storage"'] as const

const PAGE_TYPE = 'text/html; charset=utf-8'

/** Sends what a screen has answered. */
export const sendAnswer = (exchange: Exchange, answer: Answer, { streams, cookies }: Sending): void => {
  switch (answer.kind) {
    case 'stream': {
      streams.open(exchange, answer.run)
      return
    }
    case 'error': {
      sendError(exchange, answer.code)
      return
    }
    case 'redirect': {
      send(exchange, {
        status: 303,
        type: 'text/plain; charset=utf-8',
        bytes: '',
        headers: [
          'Location',
          answer.to,
          'Cache-Control',
          'no-store',
          ...(answer.session ? ['Set-Cookie', cookies.setCookie(answer.session)] : []),
          ...(answer.session?.opened === null ? SIGNED_OUT : []),
        ],
      })
      return
    }
    case 'file': {
      send(exchange, {
        status: 200,
        type: answer.type,
        bytes: Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength),
        headers: [
          'Cache-Control',
          'no-store',
          'Content-Disposition',
          `attachment; filename="${answer.name}"`,
        ],
        security: FILE_SECURITY,
      })
      return
    }
    case 'page': {
      send(exchange, {
        status: answer.status,
        type: PAGE_TYPE,
        bytes: answer.html.toString(),
        headers: ['Cache-Control', 'no-store', ...languageHeaders(exchange)],
        security: SCREEN_SECURITY,
      })
      return
    }
  }
}

/** How long the rest of a file is read and discarded: browsers show an answer only once they have sent all of it. */
const FILE_LINGER_MS = 30_000

/** An answer that may be sent before the file of a form has arrived. */
export type EarlyAnswer = Extract<Answer, { kind: 'page' | 'error' | 'redirect' }>

const earlyContentOf = (exchange: Exchange, answer: EarlyAnswer) => {
  switch (answer.kind) {
    case 'page':
      return { status: answer.status, bytes: answer.html.toString(), headers: [] }
    case 'error':
      return {
        status: ERRORS[answer.code].status,
        bytes: errorPage(answer.code, exchange, pageLanguage(exchange)).toString(),
        headers: [],
      }
    case 'redirect':
      return { status: 303, bytes: '', headers: ['Location', answer.to] }
  }
}

/** Sends an answer while the file of a form may still be arriving. */
export const sendEarlyAnswer = (exchange: Exchange, answer: EarlyAnswer, given: FlatHeaders = []): void => {
  const { headers, ...content } = earlyContentOf(exchange, answer)
  sendEarlyContent(
    exchange,
    {
      ...content,
      type: PAGE_TYPE,
      headers: ['Cache-Control', 'no-store', ...languageHeaders(exchange), ...headers, ...given],
      security: SCREEN_SECURITY,
    },
    FILE_LINGER_MS,
  )
}
