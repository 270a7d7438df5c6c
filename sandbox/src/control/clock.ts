import type { Clock } from '@causeway/chassis'
import { Router } from 'express'
import { z } from 'zod'
import type { ClockHand } from '../clock/hand.ts'
import { read, SandboxError } from '../http/answers.ts'

const YEAR_MS = 366 * 24 * 3_600_000
/** In one call, and in all. */
const MOST_MS = 10 * YEAR_MS
const MOST_IN_ALL_MS = 100 * YEAR_MS

const MoveRequest = z
  .strictObject({
    advance_ms: z.int().min(0).max(MOST_MS).optional(),
    now: z.iso.datetime({ offset: true }).optional(),
  })
  .refine((body) => (body.advance_ms === undefined) !== (body.now === undefined), {
    path: ['advance_ms'],
    params: { reason: 'required' },
  })

const bad = (field: string, reason: string, message: string) =>
  new SandboxError(400, 'invalid_request', message, [{ field, reason }])

/** By how much to move. The time goes forward alone. */
const distanceOf = (body: z.infer<typeof MoveRequest>, clock: Clock): number => {
  const field = body.now === undefined ? 'advance_ms' : 'now'
  const ms = body.now === undefined ? (body.advance_ms ?? 0) : Date.parse(body.now) - clock.nowMs()
  if (ms < 0) throw bad(field, 'too_small', 'The time goes forward alone.')
  if (ms > MOST_MS || clock.offsetMs() + ms > MOST_IN_ALL_MS)
    throw bad(field, 'too_big', 'The time moves by 10 years at most in one call, and by 100 in all.')
  return ms
}

/**
 * `GET` and `POST /control/clock`: the time that every process of the platform reads. A move answers once all of them
 * read the new time (ADR 0020).
 */
export const clockControls = (hand: ClockHand, clock: Clock): Router => {
  const routes = Router()
  routes.get('/clock', (_request, response) => {
    response.json({ now: clock.now().toISOString() })
  })
  routes.post('/clock', async (request, response) => {
    const body = read(MoveRequest, request.body)
    await hand.advance(distanceOf(body, clock))
    response.json({ now: clock.now().toISOString() })
  })
  return routes
}
