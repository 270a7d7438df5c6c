import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import {
  CapabilityName,
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  Scope,
  text,
  Timestamp,
} from '../primitives.ts'
import { Client, ClientCredentials } from './clients.ts'

/** A partner platform (decisions §14). */
export const Partner = z.object({
  partner_id: idOf('partner'),
  name: z.string(),
  status: z.enum(['active', 'disabled']),
  scopes: z.array(Scope),
  default_capabilities: z.array(CapabilityName),
  created_at: Timestamp,
})
export type Partner = z.infer<typeof Partner>

const partnerParams = z.object({ partnerId: idOf('partner') })
const scopes = z.array(Scope).max(100)
const defaultCapabilities = z.array(CapabilityName).max(100)
const partnerReply = z.object({ partner: Partner })

/** `gateway.partners`: partners, which the gateway itself stores (decisions §14). */
export const partners = resource('gateway.partners', {
  create: operation({
    summary: 'Create a partner with its first client',
    caller: 'operator',
    body: z.strictObject({
      name: text(200),
      scopes: scopes.optional(),
      default_capabilities: defaultCapabilities.optional(),
    }),
    reply: z.object({ partner: Partner, client: ClientCredentials }),
  }),
  list: operation({
    summary: 'List partners, oldest first',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ partners: z.array(Partner), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    summary: 'Get a partner and its clients',
    caller: 'operator',
    params: partnerParams,
    reply: z.object({ partner: Partner, clients: z.array(Client) }),
    refusals: ['resource_not_found'],
  }),
  update: operation({
    summary: 'Change a partner; its status and scopes count for tokens in flight within a second',
    caller: 'operator',
    params: partnerParams,
    body: z.strictObject({
      name: text(200).optional(),
      scopes: scopes.optional(),
      default_capabilities: defaultCapabilities.optional(),
      status: Partner.shape.status.optional(),
    }),
    reply: partnerReply,
    refusals: ['resource_not_found'],
  }),
})
