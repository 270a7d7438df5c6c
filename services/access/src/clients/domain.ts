import { SCOPES, type Client, type clients, type FourEyes } from '@causeway/contracts'
import type { z } from 'zod'
import type { ClientRecord } from './store.ts'

/** The chosen names in the order of the full list, each once. */
export const inOrder = <T extends string>(all: readonly T[], chosen: readonly T[]): T[] =>
  all.filter((name) => chosen.includes(name))

/** A new client is active and has no separate limits. */
export const NEW_CLIENT = {
  status: 'active',
  allowedAddresses: null,
  dailyRefundLimitCents: null,
} as const

type Update = z.output<(typeof clients.update)['body']>

/** Checks whether an update does more than disable, which never waits, and change harmless fields. */
export const doesMoreThanDisable = (
  update: Readonly<Record<string, unknown>>,
  harmless: readonly string[],
): boolean =>
  Object.entries(update).some(
    ([name, value]) =>
      value !== undefined && !harmless.includes(name) && !(name === 'status' && value === 'disabled'),
  )

/** The platform's own limit (null) is not known to be lower than any other: both ways between them need two persons. */
const raisesLimit = (current: number | null, asked: number | null | undefined): boolean => {
  if (asked === undefined || asked === current) return false
  return asked === null || current === null || asked > current
}

/** The groups under which an update needs a second person (decisions §14). */
export const groupsOfUpdate = (client: ClientRecord, update: Update): FourEyes[] => [
  ...(doesMoreThanDisable(update, ['daily_refund_limit_cents']) ? (['keys'] as const) : []),
  ...(raisesLimit(client.dailyRefundLimitCents, update.daily_refund_limit_cents) ? (['money'] as const) : []),
]

/** The state of a client that an update relies on. */
export const updatedStateOf = (client: ClientRecord): z.output<(typeof clients.update)['expected']> => ({
  status: client.status,
  scopes: client.scopes,
  allowed_addresses: client.allowedAddresses,
  daily_refund_limit_cents: client.dailyRefundLimitCents,
})

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
