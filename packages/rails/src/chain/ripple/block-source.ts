import { RailError } from '../../rail-error.ts'
import { reportedByAny } from '../agreement.ts'
import type { BlockHeader, BlockSource } from '../block-source.ts'
import { agreedAnswer, agreedNumber } from '../final-agreement.ts'
import { decodeClassicAddress } from '../formats/xrp-address.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { createJsonRpcEndpoints, type JsonRpcEndpoints } from '../json-rpc/endpoints.ts'
import { readLedger, readLedgerIndexOf, readServerInfo } from './answers.ts'
import { SerializationError } from './fields.ts'
import { parseHeader, parseLedger, type RippleAccounts } from './ledger.ts'

export type RippleSourceOptions = Readonly<{
  /** `XRP_RPC_URLS`: JSON-RPC of rippled or Clio servers. */
  rpcUrls: readonly string[]
  /** `XRP_ACCOUNT`: classic addresses, comma-separated, at which orders are paid. */
  account: string
  /** Absolute bound of one exchange with an endpoint. */
  timeoutMs: number
  /** Monotonic. */
  nowMs?: () => number
}>

const SETTING = 'XRP_RPC_URLS'
const MAX_ANSWER_BYTES = 32_000_000
const MAIN_NETWORK = 0

const open = (options: RippleSourceOptions): JsonRpcEndpoints => {
  try {
    return createJsonRpcEndpoints(options.rpcUrls, { ...options, maxAnswerBytes: MAX_ANSWER_BYTES })
  } catch (error) {
    throw new Error(`${SETTING}: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}

const accountsOf = (classicAddresses: string): RippleAccounts =>
  new Set(
    classicAddresses
      .split(',')
      .map((address) => Buffer.from(decodeClassicAddress(address.trim()) ?? []).toString('hex')),
  )

/** Bytes that an endpoint gave are checked; a fault is another endpoint's turn. */
const checked = <T>(rpc: JsonRpcEndpoint, what: string, check: () => T): T => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof SerializationError)) throw error
    throw new RailError('unavailable', `${rpc.name}: ${what} ${error.message}`, {
      cause: error,
    })
  }
}

/** @throws Error for an endpoint of another network, or one that is not in step with its network */
const verifyEndpoint = async (rpc: JsonRpcEndpoint, signal?: AbortSignal): Promise<void> => {
  const { network_id: network = MAIN_NETWORK, validated_ledger: validated } = await readServerInfo(
    rpc,
    signal,
  )
  if (network !== MAIN_NETWORK)
    throw new Error(
      `${SETTING}: ${rpc.name} is on network ${network}; orders are paid on the main network (0)`,
    )
  if (!validated)
    throw new Error(`${SETTING}: ${rpc.name} has no validated ledger yet; wait until it has synced`)
}

/**
 * Validated ledgers of the XRP Ledger (docs/chains/solana-xrp.md).
 * @throws Error that names the setting which cannot be used
 */
export const createRippleBlockSource = (options: RippleSourceOptions): BlockSource => {
  const endpoints = open(options)
  const ours = accountsOf(options.account)

  /** Returns null while there is no ledger of that index. */
  const headerAt = async (rpc: JsonRpcEndpoint, index: number | 'validated', signal?: AbortSignal) => {
    const ledger = await readLedger(rpc, { index }, { transactions: false }, signal)
    if (!ledger) return null
    const header = checked(rpc, `the ledger ${index}`, () => parseHeader(ledger.data))
    if (index !== 'validated' && header.number !== index)
      throw new RailError('unavailable', `${rpc.name} returned ledger ${header.number} instead of ${index}`)
    return header
  }
  const agreedAt = (number: number, signal?: AbortSignal): Promise<BlockHeader | null> =>
    agreedAnswer(endpoints, `the ledger ${number}`, (rpc) => headerAt(rpc, number, signal))

  return {
    network: 'XRP',
    verify: async (signal) => {
      const witnesses = await endpoints.all((rpc) => verifyEndpoint(rpc, signal))
      const [failed] = witnesses.flatMap((witness) => ('error' in witness ? witness.error : []))
      if (failed && witnesses.every((witness) => 'error' in witness)) throw failed
    },
    head: async (signal) => {
      const newest = await agreedNumber(
        endpoints,
        async (rpc) => (await headerAt(rpc, 'validated', signal))?.number ?? 0,
      )
      const head = await agreedAt(newest, signal)
      if (!head) throw new RailError('unavailable', `no endpoint has ledger ${newest} any more`)
      return head
    },
    next: (number, signal) => agreedAt(number + 1, signal),
    transfers: (block, signal) =>
      endpoints.first(async (rpc) => {
        const ledger = await readLedger(rpc, { hash: block.hash }, { transactions: true }, signal)
        if (!ledger) throw new RailError('unavailable', `${rpc.name} does not have ledger ${block.hash}`)
        return checked(rpc, `the ledger ${block.hash}`, () => parseLedger(ledger, block.hash, ours))
      }),
    blockOf: (txId, signal) => reportedByAny(endpoints, (rpc) => readLedgerIndexOf(rpc, txId, signal)),
    pending: async () => [],
    close: () => endpoints.close(),
  }
}
