import { z } from 'zod'
import { operation, resource } from '../operation.ts'

/** `access.audit`: the audit log of actions that the gateway carries out. `access.gate.begin` records the beginning of those of staff. */
export const accessAudit = resource('access.audit', {
  begin: operation({
    summary: 'Record the beginning of an action of a partner, before it is carried out',
    caller: 'service',
    services: ['gateway'],
    body: z.object({
      request_id: z.string(),
      operation: z.string(),
      actor: z.string(),
      params_json: z.string().optional(),
    }),
    reply: z.object({}),
    refusals: ['resource_not_found'],
  }),
  end: operation({
    summary: 'Record the end of an action that changes something; recording it again changes nothing',
    caller: 'service',
    services: ['gateway'],
    body: z.object({
      request_id: z.string(),
      operation: z.string(),
      result: z.discriminatedUnion('done', [
        z.object({ done: z.literal(true), before: z.unknown(), after: z.unknown() }),
        z.object({ done: z.literal(false), code: z.string() }),
      ]),
    }),
    reply: z.object({}),
  }),
  refuse: operation({
    summary: 'Record that staff tried an action that their role does not allow',
    caller: 'service',
    services: ['gateway'],
    body: z.object({
      request_id: z.string(),
      operation: z.string(),
      actor: z.string(),
      params_json: z.string().optional(),
    }),
    reply: z.object({}),
    refusals: ['resource_not_found'],
  }),
})
