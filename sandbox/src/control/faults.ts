import { Router } from 'express'
import { z } from 'zod'
import { CALLS, type Fault, type Faults, MODES, TARGETS } from '../faults/faults.ts'
import { parseRequest } from '../http/answers.ts'

const FaultRequest = z.strictObject({
  target: z.enum(TARGETS),
  mode: z.enum(MODES),
  count: z.int().min(1).max(1_000_000).optional(),
  calls: z.enum(CALLS).default('effect'),
  telling: z.string().min(1).max(100).optional(),
})

/**
 * `PUT /control/faults` (decisions §15). A fault lasts until the next one for its target, or for `count` calls.
 * @param applied makes providers with separate ports stop or resume listening before the answer
 */
export const faultControls = (faults: Faults, applied: () => Promise<void>): Router => {
  const routes = Router()
  routes.put('/faults', async (request, response) => {
    const { target, mode, count = null, calls, telling } = parseRequest(FaultRequest, request.body)
    const fault: Fault = { target, mode, count, calls, ...(telling !== undefined && { telling }) }
    faults.set(fault)
    await applied()
    response.json(fault)
  })
  return routes
}
