import { z } from 'zod'
import type { JsonRpcCall } from '../json-rpc/answers.ts'

const Instruction = z.object({
  programIdIndex: z.int().nonnegative(),
  accounts: z.array(z.int().nonnegative()),
  data: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]*$/),
})
export type Instruction = z.infer<typeof Instruction>

const TokenBalance = z.object({
  mint: z.string(),
  owner: z.string().nullish(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }),
})

/** A transaction in the encoding `json`: accounts are positions in the keys of message and lookup tables together. */
const Transaction = z.object({
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    message: z.object({ accountKeys: z.array(z.string()), instructions: z.array(Instruction) }),
  }),
  meta: z.object({
    /** Null when it succeeded; a transaction that failed changes no balance but for its fee. */
    err: z.unknown().refine((err) => err !== undefined),
    innerInstructions: z.array(z.object({ index: z.int(), instructions: z.array(Instruction) })).nullish(),
    loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
    /** Balances of each account before and after, in the order of the keys. */
    preBalances: z.array(z.number().nonnegative()).nullish(),
    postBalances: z.array(z.number().nonnegative()).nullish(),
    preTokenBalances: z.array(TokenBalance).nullish(),
    postTokenBalances: z.array(TokenBalance).nullish(),
  }),
})
export type Transaction = z.infer<typeof Transaction>

const header = {
  blockhash: z.string().min(32),
  previousBlockhash: z.string().min(32),
  blockTime: z.int().positive(),
}
const Header = z.object(header)
const Block = z.object({ ...header, transactions: z.array(Transaction) })
export type Header = z.infer<typeof Header>
export type Block = z.infer<typeof Block>

/** Finalized blocks are never reverted. */
const FINALIZED = { commitment: 'finalized' } as const
const BLOCK_OPTIONS = {
  ...FINALIZED,
  encoding: 'json',
  rewards: false,
  maxSupportedTransactionVersion: 0,
} as const

export const genesisHashCall = { method: 'getGenesisHash', params: [], shape: z.string() } as const
export const slotCall = { method: 'getSlot', params: [FINALIZED], shape: z.int().nonnegative() } as const

const Statuses = z.object({
  value: z.array(
    z.object({ slot: z.int().nonnegative(), confirmationStatus: z.string().nullish() }).nullable(),
  ),
})
/** The slot of a transaction, with how final it is. */
export const statusCall = (signature: string): JsonRpcCall<z.infer<typeof Statuses>> => ({
  method: 'getSignatureStatuses',
  params: [[signature], { searchTransactionHistory: true }],
  shape: Statuses,
})

/** The first slot from this one on that has a block, as a list of one or none. */
export const blocksCall = (from: number): JsonRpcCall<readonly number[]> => ({
  method: 'getBlocksWithLimit',
  params: [from, 1, FINALIZED],
  shape: z.array(z.int().nonnegative()).max(1),
})
export const headerCall = (slot: number): JsonRpcCall<Header> => ({
  method: 'getBlock',
  params: [slot, { ...BLOCK_OPTIONS, transactionDetails: 'none' }],
  shape: Header,
})
export const blockCall = (slot: number): JsonRpcCall<Block> => ({
  method: 'getBlock',
  params: [slot, { ...BLOCK_OPTIONS, transactionDetails: 'full' }],
  shape: Block,
})
