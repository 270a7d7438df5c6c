import { RailError } from '../../rail-error.ts'
import { reportedByAny } from '../agreement.ts'
import type { BlockHeader, BlockSource } from '../block-source.ts'
import { agreedAnswer, agreedNumber } from '../final-agreement.ts'
import { JsonRpcError } from '../json-rpc/answers.ts'
import type { JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { createJsonRpcEndpoints, type JsonRpcEndpoints } from '../json-rpc/endpoints.ts'
import {
  blockCall,
  blocksCall,
  genesisHashCall,
  type Header,
  headerCall,
  slotCall,
  statusCall,
} from './answers.ts'
import { transfersOf } from './transfers.ts'

export type SolanaSourceOptions = Readonly<{
  /** `SOL_RPC_URLS`. */
  rpcUrls: readonly string[]
  /** `SOL_ACCOUNT`: the address at which every order is paid. */
  account: string
  /** Absolute bound of one exchange with an endpoint. */
  timeoutMs: number
  /** Monotonic. */
  nowMs?: () => number
}>

const SETTING = 'SOL_RPC_URLS'
/** Blocks with all their transactions in JSON are up to some 10 MB. */
const MAX_ANSWER_BYTES = 64_000_000
const MAIN_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
/** JSON-RPC errors: the block is not available, its slot was skipped, or its status is not known yet. */
const NO_BLOCK: ReadonlySet<number> = new Set([-32004, -32007, -32009, -32014])

const open = (options: SolanaSourceOptions): JsonRpcEndpoints => {
  try {
    return createJsonRpcEndpoints(options.rpcUrls, { ...options, maxAnswerBytes: MAX_ANSWER_BYTES })
  } catch (error) {
    throw new Error(`${SETTING}: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}

const headerOf = (slot: number, { blockhash, previousBlockhash, blockTime }: Header): BlockHeader => ({
  number: slot,
  hash: blockhash,
  parentHash: previousBlockhash,
  minedAt: new Date(blockTime * 1_000),
})

/** Null where this endpoint has no block of a slot, or none yet. */
const unlessNone = async <T>(asked: Promise<T>): Promise<T | null> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof JsonRpcError && NO_BLOCK.has(error.code)) return null
    throw error
  }
}

const findHeader = async (
  rpc: JsonRpcEndpoint,
  slot: number,
  signal?: AbortSignal,
): Promise<BlockHeader | null> => {
  const header = await unlessNone(rpc.call(headerCall(slot), signal))
  return header && headerOf(slot, header)
}

const findNext = async (
  rpc: JsonRpcEndpoint,
  from: number,
  signal?: AbortSignal,
): Promise<BlockHeader | null> => {
  const [slot] = await rpc.call(blocksCall(from), signal)
  if (slot === undefined) return null
  if (slot < from)
    throw new RailError('unavailable', `${rpc.name} returned slot ${slot} for the slots from ${from}`)
  return findHeader(rpc, slot, signal)
}

/**
 * Finalized blocks of Solana (docs/chains/solana-xrp.md). No hash covers what an answer says of a block's transactions,
 * so that every endpoint that answers must say the same.
 * @throws Error that names the setting which cannot be used
 */
export const createSolanaBlockSource = (options: SolanaSourceOptions): BlockSource => {
  const endpoints = open(options)

  const readTransfers = async (
    rpc: JsonRpcEndpoint,
    { number, hash }: BlockHeader,
    account: string,
    signal?: AbortSignal,
  ) => {
    const block = await unlessNone(rpc.call(blockCall(number), signal))
    if (!block) return null
    if (block.blockhash !== hash)
      throw new RailError('unavailable', `${rpc.name} has block ${block.blockhash} in slot ${number}`)
    return block.transactions.flatMap((transaction) => transfersOf(transaction, account))
  }

  const agreedTransfers = async (block: BlockHeader, account: string, signal?: AbortSignal) => {
    const transfers = await agreedAnswer(endpoints, `the transfers of the slot ${block.number}`, (rpc) =>
      readTransfers(rpc, block, account, signal),
    )
    if (!transfers) throw new RailError('unavailable', `no endpoint has the block of slot ${block.number}`)
    return transfers
  }

  return {
    network: 'SOL',
    verify: async (signal) => {
      const witnesses = await endpoints.all(async (rpc) => {
        const genesis = await rpc.call(genesisHashCall, signal)
        if (genesis !== MAIN_GENESIS)
          throw new Error(
            `${SETTING}: ${rpc.name} is not on Solana's main network (genesis ${genesis.slice(0, 50)})`,
          )
      })
      const [failed] = witnesses.flatMap((witness) => ('error' in witness ? witness.error : []))
      if (failed && witnesses.every((witness) => 'error' in witness)) throw failed
    },
    head: async (signal) => {
      const slot = await agreedNumber(endpoints, (rpc) => rpc.call(slotCall, signal))
      const head = await agreedAnswer(endpoints, `the slot ${slot}`, (rpc) => findHeader(rpc, slot, signal))
      if (!head) throw new RailError('unavailable', `no endpoint has the block of slot ${slot} yet`)
      return head
    },
    next: (number, signal) =>
      agreedAnswer(endpoints, `the block after the slot ${number}`, (rpc) =>
        findNext(rpc, number + 1, signal),
      ),
    transfers: (block, signal) => agreedTransfers(block, options.account, signal),
    transfersTo: async (block, signal, address) =>
      // Those with a reference have it as their address: they arrive at the account, too.
      (await agreedTransfers(block, address, signal)).map((transfer) => ({ ...transfer, address })),
    blockOf: (signature, signal) =>
      reportedByAny(endpoints, async (rpc) => {
        const [status] = (await rpc.call(statusCall(signature), signal)).value
        return status?.confirmationStatus === 'finalized' ? status.slot : null
      }),
    pending: async () => [],
    close: () => endpoints.close(),
  }
}
