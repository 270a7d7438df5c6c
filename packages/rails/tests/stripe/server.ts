import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import type { Account } from './account.ts'
import { invalid, missing, StripeAnswer } from './errors.ts'
import { type Fields, parseForm } from './form.ts'

export type Fault =
  'ok' | 'unreachable' | 'timeout' | 'reset' | 'error' | 'refuse' | 'throttle' | 'after_effect_timeout'

type Answer = { status: number; body: string }
type Saved = Answer & { request: string }

const perform = (account: Account, method: string, path: string, fields: Fields): unknown => {
  const [, sessionId] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(path) ?? []
  if (method === 'GET' && sessionId !== undefined) return account.readSession(sessionId, fields)
  switch (`${method} ${path}`) {
    case 'POST /v1/checkout/sessions':
      return account.createSession(fields)
    case 'GET /v1/checkout/sessions':
      return account.listSessions(fields)
    case 'POST /v1/refunds':
      return account.createRefund(fields)
    case 'GET /v1/refunds':
      return account.listRefunds(fields)
    case 'GET /v1/balance_transactions':
      return account.balance.list(fields)
    case 'GET /v1/disputes':
      return account.listDisputes(fields)
    default:
      throw missing('path', path)
  }
}

const FAULTS: Readonly<Partial<Record<Fault, StripeAnswer>>> = {
  error: new StripeAnswer(500, 'api_error', 'An unknown error occurred'),
  refuse: invalid('A refusal was asked for', { code: 'resource_missing' }),
  throttle: new StripeAnswer(429, 'invalid_request_error', 'Too many requests', { code: 'rate_limit' }),
}

/**
 * Answers on loopback as Stripe's documentation says: authentication, form bodies, error bodies, and idempotency keys
 * whose first answer is repeated, errors after the execution began included.
 */
export const createStripeServer = (account: Account, secretKey: string) => {
  const saved = new Map<string, Saved>()
  const busy = new Set<string>()
  const calls: string[] = []
  let fault: { mode: Fault; calls: 'effect' | 'all' } = { mode: 'ok', calls: 'all' }
  let server: Server | null = null
  let port = 0

  const execute = (method: string, url: URL, body: string): Answer => {
    const fields = parseForm(method === 'POST' ? body : url.search.slice(1))
    try {
      return { status: 200, body: JSON.stringify(perform(account, method, url.pathname, fields)) }
    } catch (error) {
      if (!(error instanceof StripeAnswer)) throw error
      return { status: error.status, body: error.toBody() }
    }
  }

  const once = (key: string, request: string, work: () => Answer): Answer => {
    const known = saved.get(key)
    if (busy.has(key))
      throw new StripeAnswer(409, 'idempotency_error', 'Another request with this key is in progress', {
        code: 'idempotency_key_in_use',
      })
    if (known && known.request !== request)
      throw new StripeAnswer(400, 'idempotency_error', 'Keys can only be used with the same parameters')
    const answer = known ?? work()
    // What did not pass validation is not saved (API reference: Idempotent requests).
    if (answer.status < 400 || answer.status >= 500) saved.set(key, { ...answer, request })
    return answer
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? ''
    const url = new URL(request.url ?? '', 'http://stripe')
    const body = await readText(request)
    calls.push(`${method} ${url.pathname}`)
    const mode = fault.calls === 'all' || method === 'POST' ? fault.mode : 'ok'
    if (mode === 'timeout') return
    if (mode === 'reset') {
      request.socket.destroy()
      return
    }
    const fail = FAULTS[mode]
    if (fail) throw fail
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      throw new StripeAnswer(401, 'invalid_request_error', 'Invalid API Key provided')
    const key = request.headers['idempotency-key']
    const work = () => execute(method, url, body)
    const done = typeof key === 'string' ? once(key, `${url.pathname}?${body}`, work) : work()
    if (mode === 'after_effect_timeout') return
    response.writeHead(done.status, { 'content-type': 'application/json', 'request-id': 'req_1' })
    response.end(done.body)
  }

  const open = async (): Promise<void> => {
    const opening = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
      answer(request, response).catch((error: unknown) => {
        const known =
          error instanceof StripeAnswer ? error : new StripeAnswer(500, 'api_error', String(error))
        response.writeHead(known.status, { 'content-type': 'application/json' })
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
    url: () => `http://127.0.0.1:${port}`,
    /** Every request that arrived, in order. */
    calls,
    /** Requests with this key are answered as if another one were under way. */
    occupy: (key: string) => void busy.add(key),
    setFault: async (mode: Fault, befalls: 'effect' | 'all'): Promise<void> => {
      fault = { mode, calls: befalls }
      if (mode === 'unreachable') await close()
      else if (server === null) await open()
    },
  }
}
