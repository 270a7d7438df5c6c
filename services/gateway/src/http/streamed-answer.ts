import { pipeline } from 'node:stream/promises'
import { abandon, CLOSE } from './answer.ts'
import type { Exchange } from './exchange.ts'
import type { FlatHeaders } from './security-headers.ts'

/** Longest time in which a caller may read nothing of an answer. */
const STALLED_MS = 30_000

type StreamedContent = Readonly<{
  type: string
  length: number
  bytes: AsyncGenerator<Buffer>
  headers: FlatHeaders
  security: FlatHeaders
}>

/**
 * Streams bytes with backpressure. The head is sent only once the first bytes were read, so that a file that cannot be
 * read at all is answered as an error. A later failure closes the connection; the caller sees that bytes are missing
 * by Content-Length.
 */
export const sendStream = async (exchange: Exchange, content: StreamedContent): Promise<void> => {
  const { request, response } = exchange
  const { bytes } = content
  const first = request.method === 'HEAD' ? null : await bytes.next()
  response.writeHead(200, [
    ...content.security,
    'X-Request-Id',
    exchange.requestId,
    ...exchange.rateLimitHeaders(),
    'Content-Type',
    content.type,
    'Content-Length',
    content.length,
    ...content.headers,
    ...(exchange.closing() ? CLOSE : []),
  ])
  const all = async function* () {
    if (first?.done === false) yield first.value
    if (first !== null) yield* bytes
  }
  response.setTimeout(STALLED_MS, () => response.destroy())
  try {
    await pipeline(all(), response)
    exchange.answered(exchange, 200)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    abandon(exchange)
  }
}
