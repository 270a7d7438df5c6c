import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { BanxaAnswer } from './errors.ts'
import type { BanxaOrders } from './orders.ts'

export type BanxaFault =
  | 'ok'
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'error'
  | 'refuse'
  | 'slow'
  | 'throttle'
  | 'after_effect_timeout'

const SLOW_MS = 300
const FAULTS: Readonly<Partial<Record<BanxaFault, BanxaAnswer>>> = {
  error: new BanxaAnswer(500, '999', 'System error'),
  refuse: new BanxaAnswer(422, '5034', 'Coin restriction'),
  throttle: new BanxaAnswer(429, '429', 'Too Many Requests'),
}

/** Answers on loopback as Banxa's pages on its hosted checkout say: key, partner, bodies, statuses and errors. */
export const createBanxaServer = (orders: BanxaOrders, account: { partner: string; apiKey: string }) => {
  const calls: string[] = []
  let fault: { mode: BanxaFault; calls: 'effect' | 'all' } = { mode: 'ok', calls: 'all' }
  let scripted: { status: number; body: string; isOnce: boolean } | null = null
  let server: Server | null = null
  let port = 0
  const url = () => `http://127.0.0.1:${port}`

  const perform = (method: string, path: string, body: string): unknown => {
    const [, partner, rest] = /^\/([^/]+)\/v2(\/.*)$/.exec(path) ?? []
    if (partner !== account.partner || rest === undefined)
      throw new BanxaAnswer(404, '404', 'Partner not found')
    if (method === 'POST' && rest === '/buy') return orders.create(body, url())
    const [, id] = /^\/orders\/([^/]+)$/.exec(rest) ?? []
    if (method === 'GET' && id !== undefined) return orders.read(id)
    throw new BanxaAnswer(405, '405', 'Method Not Allowed')
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? ''
    const { pathname } = new URL(request.url ?? '', url())
    const body = await readText(request)
    calls.push(`${method} ${pathname}`)
    const mode = fault.calls === 'all' || method === 'POST' ? fault.mode : 'ok'
    if (mode === 'timeout') return
    if (mode === 'reset') {
      request.socket.destroy()
      return
    }
    const fail = FAULTS[mode]
    if (fail) throw fail
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    if (request.headers['x-api-key'] !== account.apiKey)
      throw new BanxaAnswer(401, '40100', 'You are not authorized to access this resource.')
    const said = scripted ?? {
      status: method === 'POST' ? 201 : 200,
      body: JSON.stringify(perform(method, pathname, body)),
    }
    if (scripted?.isOnce === true) scripted = null
    if (mode === 'after_effect_timeout') return
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body)
  }

  const open = async (): Promise<void> => {
    const opening = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
      answer(request, response).catch((error: unknown) => {
        const known = error instanceof BanxaAnswer ? error : new BanxaAnswer(500, '999', String(error))
        response.writeHead(known.httpStatus, { 'content-type': 'application/json' })
        response.end(known.toBody())
      })
    })
    await new Promise<void>((resolve) => opening.listen(port, '127.0.0.1', resolve))
    port = (opening.address() as AddressInfo).port
    server = opening
  }
  const close = async (): Promise<void> => {
    const closing = server
    server = null
    if (!closing) return
    const closed = new Promise((resolve) => closing.close(resolve))
    closing.closeAllConnections()
    await closed
  }

  return {
    open,
    close,
    url,
    /** Every request that arrived, in order. */
    calls,
    /** Sets a response for every call, or only the next, which then has no effect. */
    script: (status: number, body: string, isOnce = false) => {
      scripted = { status, body, isOnce }
    },
    setFault: async (mode: BanxaFault, befalls: 'effect' | 'all'): Promise<void> => {
      fault = { mode, calls: befalls }
      if (mode === 'unreachable') await close()
      else if (server === null) await open()
    },
  }
}
