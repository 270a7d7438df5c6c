import { Client, type Dispatcher } from 'undici'

/** What is recorded of one attempt. */
export type Seen = Readonly<{
  statusCode: number | null
  error: string | null
  retryAfter: string | undefined
  body: string
}>

const KEPT_BYTES = 8_192
const DRAINED_BYTES = 65_536

/** undici's failures in the words of the delivery log. */
const describe = (error: Error & { code?: string }): string => {
  const { code = '' } = error
  if (error.name === 'HTTPParserError' || code.startsWith('UND_ERR_RES') || code === 'ERR_ASSERTION')
    return 'answer is not HTTP/1.1'
  if (code === 'UND_ERR_SOCKET') return 'connection closed before an answer'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer headers too large'
  return code
}

const textOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** Makes one attempt with undici, on a connection of its own, and reads its answer within the same bounds. */
export const attemptByUndici = (origin: string, path: string, body: string): Promise<Seen> =>
  new Promise((resolve) => {
    const client = new Client(origin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
    let statusCode: number | null = null
    let retryAfter: string | undefined
    const chunks: Buffer[] = []
    let received = 0
    const end = (error: Error | null) => {
      resolve({
        statusCode,
        error: statusCode === null && error ? describe(error) : null,
        retryAfter,
        body: Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('latin1'),
      })
      client.destroy().catch(() => undefined)
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code, headers) => {
        if (code < 200) return
        statusCode = code
        retryAfter = textOf(headers['retry-after'])
      },
      onResponseData: (controller, chunk) => {
        chunks.push(Buffer.from(chunk))
        received += chunk.length
        if (received > DRAINED_BYTES) controller.abort(new Error('The body is longer than is read'))
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(error),
    }
    client.dispatch({ method: 'POST', path, body }, handler)
  })
