import { z } from 'zod'
import { preparationOf } from './four-eyes.ts'
import { patch, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Scope, Timestamp } from '../primitives.ts'

/** A `disabled` partner or client cannot call. */
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
  .meta({ description: 'Addresses and CIDR blocks from which the client may call; null: any address' })
/** Most that a client may refund per currency and UTC day, in minor units; null: the setting of the platform. */
const dailyRefundLimit = z.number().int().min(0).meta({
  description:
    'Refund limit of the client per currency and UTC day, in minor units; null: REFUND_DAILY_LIMIT_CENTS',
})

const ClientUpdate = z.strictObject({
  status: AccountStatus.optional(),
  scopes: scopes.optional(),
  allowed_addresses: allowedAddresses.nullable().optional(),
  daily_refund_limit_cents: dailyRefundLimit.nullable().optional(),
})
/** The fields that an update can change, null where the client has no own limit. */
const UpdatedState = z.object({
  status: AccountStatus,
  scopes: z.array(Scope),
  allowed_addresses: z.array(z.string()).nullable(),
  daily_refund_limit_cents: z.number().int().nullable(),
})

/** `gateway.clients`: OAuth clients of partners (decisions §2 and §14). */
export const clients = resource('gateway.clients', {
  create: operation({
    operationId: 'createClient',
    http: post('/partners/:partnerId/clients', { status: 201 }),
    role: 'admin',
    tag: 'Partners',
    fourEyes: ['keys'],
    summary: 'Create another client of a partner',
    description:
      'Use it for another system of a partner, with separate scopes. The secret is shown only once.',
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    body: z.strictObject({ scopes: scopes.optional() }).optional(),
    reply: z.object({ client: ClientCredentials }),
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  rotateSecret: operation({
    operationId: 'rotateClientSecret',
    http: post('/clients/:clientId/secret', { status: 201 }),
    role: 'admin',
    tag: 'Partners',
    fourEyes: ['keys'],
    summary: 'Rotate a client’s secret; the old one and its tokens stay valid for grace_seconds',
    description: 'Use it when a secret may have leaked or is old. Both secrets work for `grace_seconds`.',
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({ grace_seconds: z.number().int().min(0).max(2_592_000).optional() }).optional(),
    reply: z.object({ client: ClientCredentials }),
    refusals: ['resource_not_found'],
  }),
  update: operation({
    operationId: 'updateClient',
    http: patch('/clients/:clientId'),
    role: 'admin',
    tag: 'Partners',
    fourEyes: ['keys', 'money'],
    preparedBy: 'prepareUpdate',
    expected: UpdatedState,
    summary: 'Update the status, scopes, allowed addresses or refund limit of a client',
    description:
      'Use it to disable a client or to restrict it. Changes apply to issued tokens within one second.',
    caller: 'operator',
    params: clientParams,
    body: ClientUpdate,
    reply: z.object({ client: Client }),
    refusals: ['resource_not_found'],
  }),
  prepareUpdate: operation({
    summary: 'Get the state of a client that an update would change',
    caller: 'operator',
    params: clientParams,
    body: ClientUpdate,
    reply: preparationOf(UpdatedState),
    refusals: ['resource_not_found'],
  }),
})
