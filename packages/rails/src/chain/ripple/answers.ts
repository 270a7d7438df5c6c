import { z } from 'zod'
import { RailError } from '../../rail-error.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import type { RawLedger } from './ledger.ts'

const Hex = z
  .string()
  .regex(/^([0-9A-Fa-f]{2})+$/)
  .transform((hex) => Buffer.from(hex, 'hex'))

/** rippled reports its errors in the result, with the HTTP status 200. */
const Failed = z.object({ error: z.string(), error_message: z.string().optional() })

const Transaction = z
  .object({ tx_blob: Hex, meta: Hex.optional(), meta_blob: Hex.optional() })
  .transform(({ tx_blob: transaction, meta, meta_blob: blob }, context) => {
    const metadata = meta ?? blob
    if (metadata) return { transaction, metadata }
    context.addIssue('no metadata')
    return z.NEVER
  })
const Ledger = z.object({
  validated: z.literal(true),
  ledger: z.object({ ledger_data: Hex, transactions: z.array(Transaction).optional() }),
})
const ServerInfo = z.object({
  info: z.object({
    network_id: z.int().nonnegative().optional(),
    validated_ledger: z.object({ seq: z.int().positive() }).optional(),
  }),
})

const Found = z.object({
  validated: z.boolean().optional(),
  ledger_index: z.int().positive().optional(),
})

/** The server's network and its validated ledger, if it has one. */
export type ServerInfo = z.infer<typeof ServerInfo>['info']

/** No such ledger or transaction: not yet, or no longer. */
const NOT_FOUND: ReadonlySet<string> = new Set(['lgrNotFound', 'txnNotFound'])
const LONGEST_MESSAGE = 200

const call = async <T>(
  rpc: JsonRpcEndpoint,
  method: string,
  params: object,
  shape: z.ZodType<T>,
  signal?: AbortSignal,
): Promise<T | null> => {
  const answer = await rpc.call({ method, params: [params], shape: z.union([Failed, z.unknown()]) }, signal)
  const failed = Failed.safeParse(answer).data
  if (failed !== undefined && NOT_FOUND.has(failed.error)) return null
  if (failed) {
    const message = (failed.error_message ?? failed.error).slice(0, LONGEST_MESSAGE)
    throw new RailError('unavailable', `${rpc.name} ${method}: ${message}`)
  }
  const parsed = shape.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new RailError(
    'unavailable',
    `${rpc.name} ${method}: the response is not a validated ledger in binary form`,
  )
}

/**
 * Reads a validated ledger; null while the server has no ledger of that index.
 * @param transactions true to read them too
 */
export const readLedger = async (
  rpc: JsonRpcEndpoint,
  which: Readonly<{ index: number | 'validated' } | { hash: string }>,
  { transactions }: Readonly<{ transactions: boolean }>,
  signal?: AbortSignal,
): Promise<RawLedger | null> => {
  const params = {
    ...('hash' in which ? { ledger_hash: which.hash } : { ledger_index: which.index }),
    binary: true,
    transactions,
    expand: transactions,
    api_version: 1,
  }
  const answer = await call(rpc, 'ledger', params, Ledger, signal)
  return answer && { data: answer.ledger.ledger_data, transactions: answer.ledger.transactions ?? [] }
}

/** Index of the validated ledger that contains a transaction; null if the server knows none. */
export const readLedgerIndexOf = async (
  rpc: JsonRpcEndpoint,
  txId: string,
  signal?: AbortSignal,
): Promise<number | null> => {
  const found = await call(rpc, 'tx', { transaction: txId, api_version: 1 }, Found, signal)
  return found?.validated === true ? (found.ledger_index ?? null) : null
}

export const readServerInfo = async (rpc: JsonRpcEndpoint, signal?: AbortSignal): Promise<ServerInfo> =>
  (await call(rpc, 'server_info', {}, ServerInfo, signal))?.info ?? {}
