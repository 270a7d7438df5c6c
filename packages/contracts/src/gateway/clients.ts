import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Scope, Timestamp } from '../primitives.ts'

/** Whether a partner or a client may call. */
export const AccountStatus = z.enum(['active', 'disabled'])

/** An OAuth client of a partner, without its secret. */
export const Client = z.object({
  client_id: idOf('client'),
  status: AccountStatus,
  scopes: z.array(Scope),
  created_at: Timestamp,
  /** Left out when any address is allowed. */
  allowed_addresses: z.array(z.string()).optional(),
  /** Left out when the platform's limit applies. */
  daily_refund_limit_cents: z.number().int().optional(),
})
export type Client = z.infer<typeof Client>

/** A client's credentials, shown once. */
export const ClientCredentials = z.object({ client_id: idOf('client'), client_secret: z.string() })

const clientParams = z.object({ clientId: idOf('client') })
const scopes = z.array(Scope).max(100)
/** Addresses and CIDR blocks that a client may call from; null: any address. */
const allowedAddresses = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
  .min(1)
  .max(50)
  .meta({ description: 'Addresses and CIDR blocks from which the client may call; null: from everywhere' })
/** Most that a client may refund per currency and UTC day, in minor units; null: the setting of the platform. */
const dailyRefundLimit = z.number().int().min(0).meta({
  description:
    "What the client may refund in one currency in a UTC day, in the currency's minor unit; null: REFUND_DAILY_LIMIT_CENTS",
})

/** `gateway.clients`: OAuth clients of partners (decisions §2 and §14). */
export const clients = resource('gateway.clients', {
  create: operation({
    operationId: 'createClient',
    summary: 'Create a further client of a partner',
    description:
      'Use it for a second system of a partner, with scopes of its own. The secret is shown this one time.',
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    body: z.strictObject({ scopes: scopes.optional() }).optional(),
    reply: z.object({ client: ClientCredentials }),
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  rotateSecret: operation({
    operationId: 'rotateClientSecret',
    summary: 'Give a client a new secret; the old one and its tokens live on for grace_seconds',
    description:
      'Use it when a secret may be known to others, or is old. With `grace_seconds` both work for that long.',
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({ grace_seconds: z.number().int().min(0).max(2_592_000).optional() }).optional(),
    reply: z.object({ client: ClientCredentials }),
    refusals: ['resource_not_found'],
  }),
  update: operation({
    operationId: 'updateClient',
    summary:
      'Change the status, the scopes, the allowed addresses or the refund limit of a client; it counts for tokens in flight within a second',
    description: 'Use it to disable a client, or to narrow what it may do.',
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({
      status: AccountStatus.optional(),
      scopes: scopes.optional(),
      allowed_addresses: allowedAddresses.nullable().optional(),
      daily_refund_limit_cents: dailyRefundLimit.nullable().optional(),
    }),
    reply: z.object({ client: Client }),
    refusals: ['resource_not_found'],
  }),
})
