/**
 * The floor of fan-out: a bare undici `dispatch` loop that posts prepared bodies without signature and without
 * recording.
 */
import { Pool, type Dispatcher } from 'undici'
import { childArgument } from '../parts/child-main.ts'
import { serveHeldWork } from '../parts/held-work.ts'

const { url, connections } = (await childArgument()) as { url: string; connections: number }
const pool = new Pool(url, { connections, pipelining: 1 })
const headers = ['content-type', 'application/json']

const post = (body: Buffer, done: (error: Error | null) => void): void => {
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: () => done(null),
    onResponseError: (_controller, error) => done(error),
  }
  pool.dispatch({ method: 'POST', path: '/hooks', headers, body }, handler)
}

const postAll = (bodies: readonly Buffer[]): Promise<void> =>
  new Promise((resolve, reject) => {
    let next = 0
    let answered = 0
    const postNext = () => {
      const body = bodies[next]
      if (body === undefined) return
      next += 1
      post(body, (error) => {
        if (error) reject(error)
        answered += 1
        if (answered === bodies.length) resolve()
        else postNext()
      })
    }
    for (let connection = 0; connection < connections; connection += 1) postNext()
  })

serveHeldWork((bodies) => bodies.map((body) => Buffer.from(body)), postAll)
