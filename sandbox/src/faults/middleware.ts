import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Faults, Mode, Target } from './faults.ts'

/** Delay of a `slow` provider before it handles the call. Shorter than the platform's timeouts. */
export const SLOW_DELAY_MS = 3_000

/** The handler runs, but its response is never sent. */
const suppressAnswer = (response: Response): void => {
  response.write = () => true
  response.end = () => response
}

const FAULT_HANDLERS: Readonly<
  Record<Mode, (request: Request, response: Response, next: NextFunction) => void>
> = {
  ok: (_request, _response, next) => next(),
  timeout: () => undefined,
  reset: (request) => void request.socket.resetAndDestroy(),
  error: (_request, response) => {
    response
      .status(500)
      .json({ error: { code: 'internal_error', message: 'A fault is set for this call.', details: [] } })
  },
  refuse: (_request, response) => {
    response
      .status(422)
      .json({ error: { code: 'refused', message: 'A refusal is set for this call.', details: [] } })
  },
  slow: (request, _response, next) => {
    const timer = setTimeout(next, SLOW_DELAY_MS)
    request.socket.once('close', () => clearTimeout(timer))
  },
  unreachable: (request) => void request.socket.resetAndDestroy(),
  after_effect_timeout: (_request, response, next) => {
    suppressAnswer(response)
    next()
  },
}

/** Middleware before every route of one provider that applies its active fault. */
export const injectFaults =
  (faults: Faults, target: Target): RequestHandler =>
  (request, response, next) => {
    const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'effect'
    const { telling } = faults.get(target)
    if (telling === undefined) {
      FAULT_HANDLERS[faults.consume(target, kind)](request, response, next)
      return
    }
    const answer = response.json.bind(response)
    response.json = (body: unknown) => {
      response.json = answer
      const mode = JSON.stringify(body).includes(telling) ? faults.consume(target, kind) : 'ok'
      FAULT_HANDLERS[mode](request, response, () => answer(body))
      return response
    }
    next()
  }
