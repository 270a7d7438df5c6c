import { base58 } from '@scure/base'
import { createHash } from 'node:crypto'
import type { NodeCalls } from '../node-calls.ts'

export const MAIN_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** A public key of nobody. */
export const keyOf = (name: string): string => base58.encode(createHash('sha256').update(name).digest())

/** An instruction by the keys of its accounts. */
export type Called = Readonly<{ program: string; accounts: readonly string[]; data: string }>
export type SolanaTransaction = Readonly<{
  /** Instructions of the message, each with those that its program called. */
  instructions: readonly (Called & { inner?: readonly Called[] })[]
  /** Keys that are in a lookup table, not in the message. */
  lookedUp?: readonly string[]
  err?: unknown
  /** Changes of accounts' balances in lamports, by key; without it the response has no balances. */
  gains?: Readonly<Record<string, number>>
  /** Token balances of owners before and after: decimal text in the smallest unit. */
  tokens?: readonly Readonly<{ mint: string; owner: string; before: string; after: string }>[]
  /** Base58, of 64 bytes. */
  signature: string
}>

let signed = 0
const newSignature = () => {
  const bytes = createHash('sha512')
    .update(`signature ${(signed += 1)}`)
    .digest()
  return base58.encode(bytes)
}

/** System transfer, with references appended to its accounts as Solana Pay says. */
export const transfer = (to: string, lamports: bigint, ...references: readonly string[]): Called => {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2)
  data.writeBigUInt64LE(lamports, 4)
  return { program: SYSTEM_PROGRAM, accounts: [keyOf('payer'), to, ...references], data: base58.encode(data) }
}

export const transactionOf = (
  instructions: SolanaTransaction['instructions'],
  more: Partial<SolanaTransaction> = {},
): SolanaTransaction => ({ instructions, signature: newSignature(), ...more })

const HELD = 1_000_000_000
const tokenBalance = ({ mint, owner }: Readonly<{ mint: string; owner: string }>, amount: string) => ({
  accountIndex: 1,
  mint,
  owner,
  uiTokenAmount: { amount, decimals: 6, uiAmountString: amount },
})

/** As getBlock shows it with the encoding `json`. */
const shown = ({
  instructions,
  lookedUp = [],
  err = null,
  gains,
  tokens = [],
  signature,
}: SolanaTransaction) => {
  const called = instructions.flatMap(({ inner = [], ...own }) => [own, ...inner])
  const all = [...new Set(called.flatMap(({ program, accounts }) => [...accounts, program]))]
  const accountKeys = all.filter((key) => !lookedUp.includes(key))
  const keys = [...accountKeys, ...lookedUp]
  const compiled = ({ program, accounts, data }: Called) => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((key) => keys.indexOf(key)),
    data,
    stackHeight: null,
  })
  return {
    version: lookedUp.length > 0 ? 0 : 'legacy',
    transaction: {
      signatures: [signature],
      message: { accountKeys, instructions: instructions.map(compiled), recentBlockhash: keyOf('recent') },
    },
    meta: {
      err,
      fee: 5_000,
      innerInstructions: instructions.flatMap(({ inner }, index) =>
        inner ? [{ index, instructions: inner.map(compiled) }] : [],
      ),
      ...(gains && {
        preBalances: keys.map(() => HELD),
        postBalances: keys.map((key) => HELD + (gains[key] ?? 0)),
      }),
      preTokenBalances: tokens.map(({ before, ...each }) => tokenBalance(each, before)),
      postTokenBalances: tokens.map(({ after, ...each }) => tokenBalance(each, after)),
      loadedAddresses: { writable: lookedUp.slice(0, 1), readonly: lookedUp.slice(1) },
    },
  }
}

/** Finalized slots, some without a block, answered as Solana's JSON-RPC does. */
export type SolanaSlots = NodeCalls &
  Readonly<{
    /** Finalizes a block, this many slots after the one before. */
    finalize: (transactions: readonly SolanaTransaction[], skipped?: number) => number
  }>

const FIRST_SLOT = 300_000_000
const FIRST_TIME = 1_790_000_000

export const createSolanaSlots = (): SolanaSlots => {
  const blocks = new Map<number, { parent: number; transactions: readonly SolanaTransaction[] }>([
    [FIRST_SLOT, { parent: FIRST_SLOT - 1, transactions: [] }],
  ])
  let newest = FIRST_SLOT
  const calls: Record<string, (...params: readonly never[]) => unknown> = {
    getGenesisHash: () => MAIN_GENESIS,
    getSlot: () => newest,
    getBlocksWithLimit: (from: number, limit: number) =>
      [...blocks.keys()].filter((slot) => slot >= from).slice(0, limit),
    getSignatureStatuses: (signatures: readonly string[]) => ({
      context: { slot: newest },
      value: signatures.map((asked) => {
        const found = [...blocks].find(([, { transactions }]) =>
          transactions.some(({ signature }) => signature === asked),
        )
        return found
          ? { slot: found[0], confirmations: null, err: null, confirmationStatus: 'finalized' }
          : null
      }),
    }),
    getBlock: (slot: number, { transactionDetails }: { transactionDetails: 'none' | 'full' }) => {
      const block = blocks.get(slot)
      const missing = `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`
      if (!block) throw Object.assign(new Error(missing), { code: -32007 })
      return {
        blockhash: keyOf(`block ${slot}`),
        previousBlockhash: keyOf(`block ${block.parent}`),
        parentSlot: block.parent,
        blockTime: FIRST_TIME + slot - FIRST_SLOT,
        ...(transactionDetails === 'full' && { transactions: block.transactions.map(shown) }),
      }
    },
  }
  return {
    finalize: (transactions, skipped = 0) => {
      const parent = newest
      newest += 1 + skipped
      blocks.set(newest, { parent, transactions })
      return newest
    },
    rpc: async <T>(method: string, ...params: readonly unknown[]) =>
      calls[method]?.(...(params as never[])) as T,
  }
}
