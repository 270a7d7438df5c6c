import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { StaffRole } from '../gateway/staff-roles.ts'
import { operation, resource } from '../operation.ts'

/** Code and details of a refusal, as an answer of the API has them. */
export const RefusedAnswer = z.object({
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  details: z.array(z.record(z.string(), z.unknown())).optional(),
})

/**
 * A request of staff, or of the people of a partner in the portal, who have no role. The parts are JSON texts as the
 * caller sent them; body, query and key are sent only for operations that can need a second person or look at the body.
 */
const StaffRequest = z.object({
  request_id: z.string(),
  operation: z.string(),
  actor: z.string(),
  role: StaffRole.nullable(),
  params_json: z.string().optional(),
  query_json: z.string().optional(),
  body_json: z.string().optional(),
  idempotency_key: z.string().optional(),
})

/** `access.gate`: which actions of staff may be carried out now (decisions §14). */
export const accessGate = resource('access.gate', {
  begin: operation({
    summary: 'Record the beginning of an action of staff, and decide whether it is carried out now',
    caller: 'service',
    services: ['gateway'],
    body: StaffRequest,
    reply: z.discriminatedUnion('outcome', [
      /** The caller carries it out, and sends its owner the state that must still hold. */
      z.object({ outcome: z.literal('proceed'), expected_json: z.string().nullable() }),
      /** It waits for a second person; `reply_json` is the reply. Its end is recorded. */
      z.object({ outcome: z.literal('held'), reply_json: z.string() }),
      /** Its end is recorded. */
      z.object({ outcome: z.literal('refused'), refusal: RefusedAnswer }),
    ]),
    /** It asks the owner what would change, and onboarding whether a merchant exists. */
    waitsMs: 10_000,
  }),
})
