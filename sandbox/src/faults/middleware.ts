import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Faults, Mode, Target } from './faults.ts'

/** How long a `slow` part thinks before it does the work: within the timeout of a patient caller. */
export const SLOW_MS = 3_000

/** Lets the work be done but its answer never leave. */
const swallowAnswer = (response: Response): void => {
  response.write = () => true
  response.end = () => response
}

const MISBEHAVE: Readonly<Record<Mode, (request: Request, response: Response, next: NextFunction) => void>> =
  {
    ok: (_request, _response, next) => next(),
    timeout: () => undefined,
    reset: (request) => void request.socket.resetAndDestroy(),
    error: (_request, response) => {
      response
        .status(500)
        .json({ error: { code: 'internal_error', message: 'A fault was asked for.', details: [] } })
    },
    refuse: (_request, response) => {
      response
        .status(422)
        .json({ error: { code: 'refused', message: 'A refusal was asked for.', details: [] } })
    },
    slow: (request, _response, next) => {
      const timer = setTimeout(next, SLOW_MS)
      request.socket.once('close', () => clearTimeout(timer))
    },
    unreachable: (request) => void request.socket.resetAndDestroy(),
    after_effect_timeout: (_request, response, next) => {
      swallowAnswer(response)
      next()
    },
  }

/** Stands before every route of one part of the outside world and misbehaves as it was told. */
export const faultGate =
  (faults: Faults, target: Target): RequestHandler =>
  (request, response, next) => {
    const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'effect'
    const { telling } = faults.get(target)
    if (telling === undefined) {
      MISBEHAVE[faults.take(target, kind)](request, response, next)
      return
    }
    const answer = response.json.bind(response)
    response.json = (body: unknown) => {
      response.json = answer
      const mode = JSON.stringify(body).includes(telling) ? faults.take(target, kind) : 'ok'
      MISBEHAVE[mode](request, response, () => answer(body))
      return response
    }
    next()
  }
