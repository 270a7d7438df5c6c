import { Pool } from 'undici'

/** A request as sent. */
export type Sent = Readonly<{
  method: string
  /** Path and query, URL-encoded. */
  target: string
  headers: Readonly<Record<string, string>>
  body?: string | Buffer
}>

/** A response. */
export type Received = Readonly<{ status: number; headers: Readonly<Record<string, string>>; text: string }>

const CONNECTIONS = 24
/** Ends what hangs, and measures nothing. */
const TIMEOUT_MS = 120_000
const KEEP_ALIVE_MS = 30_000

/** A pool of keep-alive connections to one origin. */
export const openHttp = (origin: string) => {
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  return {
    send: async ({ method, target, headers, body }: Sent): Promise<Received> => {
      const answer = await pool.request({
        method,
        path: target,
        headers,
        body: body ?? null,
      })
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
        text: await answer.body.text(),
      }
    },
    close: () => pool.close(),
  }
}
export type Http = ReturnType<typeof openHttp>

/** Runs a task for each item in order, with bounded concurrency. */
export const forEachOf = async <T>(
  items: Iterable<T>,
  atOnce: number,
  task: (item: T) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]()
  const work = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await task(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
