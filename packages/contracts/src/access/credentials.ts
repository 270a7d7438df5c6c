import { z } from 'zod'
import { StaffRole } from '../gateway/staff-roles.ts'
import { operation, resource } from '../operation.ts'
import { CapabilityName, Scope } from '../primitives.ts'

/** Format of a merchant's API key; text of another format was never issued. */
export const API_KEY = /^mk_[\w-]{43}$/
/** Format of a staff key; text of another format was never issued. */
export const STAFF_KEY = /^staff_[\w-]{43}$/

/** The client of tokens: its rights, and the credentials and tokens that end its tokens. */
export const TokenClient = z.object({
  client_id: z.string(),
  partner_id: z.string(),
  scopes: z.array(Scope),
  default_capabilities: z.array(CapabilityName),
  /** Null: any address. */
  allowed_addresses: z.array(z.string()).nullable(),
  /** Null: no limit. */
  daily_refund_limit_cents: z.number().nullable(),
  /** Live secrets, newest first. `expires_at_ms` is null until another secret replaces it. */
  secrets: z.array(
    z.object({ secret_id: z.string(), created_at_ms: z.number(), expires_at_ms: z.number().nullable() }),
  ),
  key_ids: z.array(z.string()),
  /** Ids of its revoked tokens that have not expired. */
  revoked_token_ids: z.array(z.string()),
})
export type TokenClient = z.infer<typeof TokenClient>

/** `key_mac`: the keyed hash by which `listChanges` names the key when it is revoked. */
const MerchantKey = z.object({ key_mac: z.string(), key_id: z.string(), merchant_id: z.string() })
/** Set where the keyed hash of the key is stored, and the key is revoked. Optional for an older access. */
const revoked = z.boolean().optional()
const FoundStaffKey = z.object({ key_mac: z.string(), staff_key_id: z.string(), role: StaffRole })

/** `access.credentials`: what the gateway checks credentials against. It caches each answer until it has changed. */
export const accessCredentials = resource('access.credentials', {
  findTokenClient: operation({
    summary: 'Find the client of a token; null if the client or its partner is disabled',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ client_id: z.string() }),
    reply: z.object({ client: TokenClient.nullable() }),
  }),
  findMerchantKey: operation({
    summary: 'Find an API key of a merchant; null if it was never issued or is revoked',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ key: z.string().regex(API_KEY) }),
    reply: z.object({ key: MerchantKey.nullable(), revoked }),
  }),
  findStaffKey: operation({
    summary: 'Find a staff key and record its use; null if it was never issued or is revoked',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ key: z.string().regex(STAFF_KEY) }),
    reply: z.object({ key: FoundStaffKey.nullable(), revoked }),
  }),
  listChanges: operation({
    summary: 'List the clients that changed and the keys that were revoked after a revision',
    caller: 'service',
    services: ['gateway'],
    /** Null: the newest revision alone. */
    body: z.object({ after_revision: z.number().int().nullable() }),
    reply: z.object({
      revision: z.number().int(),
      client_ids: z.array(z.string()),
      key_macs: z.array(z.string()),
    }),
  }),
})
