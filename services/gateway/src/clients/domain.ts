import { SCOPES, type Client, type clients } from '@causeway/contracts'
import type { z } from 'zod'
import type { ClientRecord } from './store.ts'

/** The chosen names in the order of the full list, each once. */
export const inOrder = <T extends string>(all: readonly T[], chosen: readonly T[]): T[] =>
  all.filter((name) => chosen.includes(name))

/** A new client is active and has no limits of its own. */
export const NEW_CLIENT = {
  status: 'active',
  allowedAddresses: null,
  dailyRefundLimitCents: null,
} as const

type Update = z.output<(typeof clients.update)['body']>

/** The client after an update: null removes a limit, and a field that is left out stays. */
export const updatedClient = (before: ClientRecord, update: Update): ClientRecord => {
  const { status, scopes, allowed_addresses: allowedAddresses, daily_refund_limit_cents: limitCents } = update
  return {
    ...before,
    status: status ?? before.status,
    scopes: inOrder(SCOPES, scopes ?? before.scopes),
    ...(allowedAddresses !== undefined && { allowedAddresses }),
    ...(limitCents !== undefined && { dailyRefundLimitCents: limitCents }),
  }
}

/** A client in the API (decisions §14). */
export const presentClient = (client: ClientRecord): Client => ({
  client_id: client.clientId,
  status: client.status,
  scopes: client.scopes,
  created_at: client.createdAt.toISOString(),
  ...(client.allowedAddresses !== null && { allowed_addresses: client.allowedAddresses }),
  ...(client.dailyRefundLimitCents !== null && { daily_refund_limit_cents: client.dailyRefundLimitCents }),
})
