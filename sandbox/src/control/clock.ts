import type { Clock } from '@causeway/chassis'
import { Router } from 'express'
import { z } from 'zod'
import type { TimeControl } from '../time-control.ts'
import { parseRequest, SandboxError } from '../http/answers.ts'

const YEAR_MS = 366 * 24 * 3_600_000
/** Bounds of one call, and of the offset in total. */
const MAX_ADVANCE_MS = 10 * YEAR_MS
const MAX_OFFSET_MS = 100 * YEAR_MS

const MoveRequest = z
  .strictObject({
    advance_ms: z.int().min(0).max(MAX_ADVANCE_MS).optional(),
    now: z.iso.datetime({ offset: true }).optional(),
  })
  .refine((body) => (body.advance_ms === undefined) !== (body.now === undefined), {
    path: ['advance_ms'],
    params: { reason: 'required' },
  })

const bad = (field: string, reason: string, message: string) =>
  new SandboxError(400, 'invalid_request', message, [{ field, reason }])

/** Milliseconds to advance. Time never goes back: due times that passed cannot become due again. */
const distanceOf = (body: z.infer<typeof MoveRequest>, clock: Clock): number => {
  const field = body.now === undefined ? 'advance_ms' : 'now'
  const ms = body.now === undefined ? (body.advance_ms ?? 0) : Date.parse(body.now) - clock.nowMs()
  if (ms < 0) throw bad(field, 'too_small', 'The time only moves forward.')
  if (ms > MAX_ADVANCE_MS || clock.offsetMs() + ms > MAX_OFFSET_MS)
    throw bad(
      field,
      'too_big',
      'The time moves by at most 10 years in one call, and by at most 100 years in all.',
    )
  return ms
}

/**
 * `GET` and `POST /control/clock`: the time that every process of the platform reads. `POST` answers once all of them
 * read the new time (ADR 0020).
 */
export const clockControls = (timeControl: TimeControl, clock: Clock): Router => {
  const routes = Router()
  routes.get('/clock', (_request, response) => {
    response.json({ now: clock.now().toISOString() })
  })
  routes.post('/clock', async (request, response) => {
    const body = parseRequest(MoveRequest, request.body)
    await timeControl.advance(distanceOf(body, clock))
    response.json({ now: clock.now().toISOString() })
  })
  return routes
}
