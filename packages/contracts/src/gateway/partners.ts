import { z } from 'zod'
import { ClientJwks, KEYS_PER_CLIENT } from './client-keys.ts'
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

/** An OAuth client of a partner, without its secret. */
export const Client = z.object({
  client_id: idOf('client'),
  status: z.enum(['active', 'disabled']),
  scopes: z.array(Scope),
  created_at: Timestamp,
  /** Present where there is such a list. */
  allowed_addresses: z.array(z.string()).optional(),
  /** Present where staff have set it for this client. */
  daily_refund_limit_cents: z.number().int().optional(),
})
export type Client = z.infer<typeof Client>

/** A client's credentials, shown once. */
export const ClientCredentials = z.object({ client_id: idOf('client'), client_secret: z.string() })

const partnerParams = z.object({ partnerId: idOf('partner') })
const clientParams = z.object({ clientId: idOf('client') })
const scopes = z.array(Scope).max(100)
const defaultCapabilities = z.array(CapabilityName).max(100)
/** Where a client may call from: addresses and CIDR blocks; null for everywhere. */
const allowedAddresses = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'invalid_value' }))
  .min(1)
  .max(50)
  .meta({ description: 'Addresses and CIDR blocks from which the client may call; null: from everywhere' })
/** What a client may refund a day; null: the setting of the platform. */
const dailyRefundLimit = z.number().int().min(0).meta({
  description:
    "What the client may refund in one currency in a UTC day, in the currency's minor unit; null: REFUND_DAILY_LIMIT_CENTS",
})
const partnerReply = z.object({ partner: Partner })

/** `gateway.partners`: partners, kept by the gateway itself (decisions §14). */
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
  read: operation({
    summary: 'Read a partner and its clients',
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
      status: z.enum(['active', 'disabled']).optional(),
    }),
    reply: partnerReply,
    refusals: ['resource_not_found'],
  }),
})

/** `gateway.clients`: OAuth clients of partners (decisions §2 and §14). */
export const clients = resource('gateway.clients', {
  create: operation({
    summary: 'Create a further client of a partner',
    caller: 'operator',
    params: partnerParams,
    body: z.strictObject({ scopes: scopes.optional() }).optional(),
    reply: z.object({ client: ClientCredentials }),
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  rotateSecret: operation({
    summary: 'Give a client a new secret; the old one and its tokens live on for grace_seconds',
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({ grace_seconds: z.number().int().min(0).max(2_592_000).optional() }).optional(),
    reply: z.object({ client: ClientCredentials }),
    refusals: ['resource_not_found'],
  }),
  update: operation({
    summary:
      'Change the status, the scopes, the allowed addresses or the refund limit of a client; it counts for tokens in flight within a second',
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({
      status: z.enum(['active', 'disabled']).optional(),
      scopes: scopes.optional(),
      allowed_addresses: allowedAddresses.nullable().optional(),
      daily_refund_limit_cents: dailyRefundLimit.nullable().optional(),
    }),
    reply: z.object({ client: Client }),
    refusals: ['resource_not_found'],
  }),
})

/** `gateway.client-keys`: public keys by which clients authenticate instead of a secret (RFC 7523). */
export const clientKeys = resource('gateway.client-keys', {
  read: operation({
    summary: 'Read the public keys of a client',
    caller: 'operator',
    params: clientParams,
    reply: z.object({ jwks: ClientJwks }),
    refusals: ['resource_not_found'],
  }),
  replace: operation({
    summary: `Replace the public keys of a client, ${KEYS_PER_CLIENT} at most; tokens of a key that is gone end within a second`,
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({ jwks: ClientJwks }),
    reply: z.object({ jwks: ClientJwks }),
    refusals: ['invalid_request', 'resource_not_found'],
  }),
})

/** One action of staff: who did what to what, before and after (decisions §14). */
export const AuditEntry = z.object({
  entry_id: idOf('auditEntry'),
  at: Timestamp,
  actor: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string(),
})

/** `gateway.audit`: the audit log of staff actions. */
export const audit = resource('gateway.audit', {
  list: operation({
    summary: 'List staff actions, oldest first',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ entries: z.array(AuditEntry), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
})
