import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newId } from '@causeway/chassis'
import { errorJson } from './answer.ts'
import { API_SECURITY, type FlatHeaders } from './security-headers.ts'

/** Statuses of errors of the HTTP parser; every other error is 400. */
const STATUS_BY_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const headerLines = (fields: readonly (readonly [string, string | number])[]): string =>
  fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')

const pairs = (flat: readonly (string | number)[]): (readonly [string, string | number])[] =>
  flat.flatMap((value, index) => (index % 2 === 0 ? [[String(value), flat[index + 1] ?? ''] as const] : []))

/**
 * Answers bytes that are not an HTTP request with the error envelope, and closes the connection.
 * @param rateLimitHeaders headers that report the rate limit of a peer's address
 */
export const createBadRequestAnswer =
  (rateLimitHeaders: (address: string) => FlatHeaders) =>
  (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const status = STATUS_BY_FAULT[error.code ?? ''] ?? 400
    const requestId = newId('request')
    const body = errorJson('invalid_request', requestId)
    const address = socket instanceof Socket ? (socket.remoteAddress ?? '') : ''
    const head = headerLines([
      ...pairs([...API_SECURITY, ...rateLimitHeaders(address)]),
      ['X-Request-Id', requestId],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', Buffer.byteLength(body)],
      ['Cache-Control', 'no-store'],
      ['Connection', 'close'],
    ])
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`)
  }
