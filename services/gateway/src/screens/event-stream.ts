import type { IncomingMessage } from 'node:http'
import type { StreamMessage, StreamWriter } from '@causeway/screens'
import { CLOSE, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { languageHeaders } from '../http/page-language.ts'
import { SCREEN_SECURITY } from '../http/security-headers.ts'

/** Most streams of one process; each holds a connection. Over it, pages poll. */
const MAX_STREAMS = 2_000
/** Most streams of one caller's address: a tenth, so that one caller cannot take all of them. */
const MAX_PER_ADDRESS = 200
/** Bytes that a browser may leave unread before its stream is closed. */
const MAX_UNREAD_BYTES = 65_536
/** How soon a browser asks again after a cut, in milliseconds. */
const RETRY_MS = 500

const encode = ({ event, data, id }: StreamMessage): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\n` +
  `${data
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`

export type EventStreams = Readonly<{
  /** Answers with a stream, or 503 where the process or the caller's address has as many as it may hold. */
  open: (exchange: Exchange, run: (writer: StreamWriter) => void) => void
  /** Ends all of them, at the stop of the server; browsers then ask another replica. */
  close: () => void
}>

/** The streams of server-sent events of this process (HTML, "Server-sent events"). */
export const createEventStreams = (addressOf: (request: IncomingMessage) => string): EventStreams => {
  const open = new Set<() => void>()
  const byAddress = new Map<string, number>()

  const count = (address: string, change: 1 | -1) => {
    const now = (byAddress.get(address) ?? 0) + change
    if (now === 0) byAddress.delete(address)
    else byAddress.set(address, now)
  }

  const start = (exchange: Exchange, run: (writer: StreamWriter) => void) => {
    const { request, response } = exchange
    exchange.answered(exchange, 200)
    response.writeHead(200, [
      ...SCREEN_SECURITY,
      'X-Request-Id',
      exchange.requestId,
      ...exchange.rateLimitHeaders(),
      'Content-Type',
      'text/event-stream',
      'Cache-Control',
      'no-store',
      ...languageHeaders(exchange),
      // Proxies that collect an answer before they pass it on would hold every message back.
      'X-Accel-Buffering',
      'no',
      ...CLOSE,
    ])
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    response.write(`retry: ${RETRY_MS}\n\n`)
    const closed = new AbortController()
    const end = () => response.end()
    const address = addressOf(request)
    open.add(end)
    count(address, 1)
    response.once('close', () => {
      open.delete(end)
      count(address, -1)
      closed.abort()
    })
    run({
      closed: closed.signal,
      end,
      send(message) {
        if (response.writableEnded || response.destroyed) return false
        if (response.writableLength > MAX_UNREAD_BYTES) {
          response.destroy()
          return false
        }
        response.write(encode(message))
        return true
      },
    })
  }
  return {
    open(exchange, run) {
      const ofAddress = byAddress.get(addressOf(exchange.request)) ?? 0
      const hasRoom = open.size < MAX_STREAMS && ofAddress < MAX_PER_ADDRESS
      if (hasRoom && !exchange.closing()) start(exchange, run)
      else sendError(exchange, 'temporarily_unavailable')
    },
    close() {
      for (const end of open) end()
    },
  }
}
