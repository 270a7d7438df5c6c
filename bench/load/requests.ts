import { randomUUID } from 'node:crypto'

/** Placeholder for a unique number in a request of the load, always of the same length. */
export const NUMBER_MARKER = '#'.repeat(12)

/** Writes a request's bytes once; the load generator sends them as they are. */
export const rawRequest = (request: {
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
}): string => {
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  const headers = {
    host: '127.0.0.1',
    ...request.headers,
    ...(request.body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** A name that no earlier run has used. */
export const freshName = (): string => randomUUID().slice(0, 8)

/** Returns the requests in turn, repeatedly, each marker replaced by a new number. */
export const createSequence = (texts: readonly string[]): { next: () => Buffer } => {
  const requests = texts.map((text) => ({
    bytes: Buffer.from(text),
    numberAt: Buffer.from(text).indexOf(NUMBER_MARKER),
  }))
  let sent = 0
  return {
    next() {
      const request = requests[sent % requests.length]
      if (request === undefined) throw new Error('There are no requests to send')
      sent += 1
      if (request.numberAt < 0) return request.bytes
      const numbered = Buffer.from(request.bytes)
      numbered.write(String(sent).padStart(NUMBER_MARKER.length, '0'), request.numberAt, 'latin1')
      return numbered
    },
  }
}
