import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'

/** Where calls of the method are stopped: before the node has seen them, or once it has done them. */
type Stop = 'before' | 'after'

/** A JSON-RPC node behind a gate that can stop the calls of one method. */
export type MethodGate = Readonly<{
  /** The node's address, through the gate. */
  url: string
  /** Stops calls from now on; resolves when one has been stopped. */
  stopAt: (where: Stop) => Promise<void>
  /** Lets calls through again. The stopped ones are never answered. */
  open: () => void
  /** The parameters of every call of the method, in order. */
  seen: () => readonly string[]
  close: () => Promise<void>
}>

/** @param target the node's address, with user and password where it has them */
export const startMethodGate = async (target: string, method: string): Promise<MethodGate> => {
  const { username, password, origin, pathname } = new URL(target)
  const seen: string[] = []
  let stop: Stop | null = null
  let onStopped = () => {}
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const call = JSON.parse(body) as { method?: string; params?: unknown }
    const isWatched = call.method === method
    if (isWatched) seen.push(JSON.stringify(call.params))
    if (isWatched && stop === 'before') {
      onStopped()
      return
    }
    const passed = await fetch(new URL(request.url ?? '/', origin), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(request.headers.authorization !== undefined && { authorization: request.headers.authorization }),
      },
      body,
    })
    const whole = Buffer.from(await passed.arrayBuffer())
    if (isWatched && stop === 'after') {
      onStopped()
      return
    }
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(whole)
  }
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const user = username === '' ? '' : `${username}:${password}@`
  return {
    url: `http://${user}127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    stopAt: (where) =>
      new Promise((resolve) => {
        stop = where
        onStopped = resolve
      }),
    open: () => {
      stop = null
    },
    seen: () => seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
