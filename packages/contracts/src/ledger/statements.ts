import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, limitParameter, NextCursor } from '../primitives.ts'
import { BalanceName, MerchantBalanceEntry } from './balance-entries.ts'
import { LedgerAmount, MerchantOwner } from './units.ts'

/** A line of a statement: an entry with its number in its account, which has no gaps. */
export const StatementLine = MerchantBalanceEntry.omit({ unit: true }).extend({
  number: z.number().int().meta({ description: 'Place in its account: relationship, balance and unit' }),
})

const Hash = z.string().meta({ description: 'SHA-256, hexadecimal' })

/** An account of one month as a seal commits to it (ADR 0079). */
const StatementLeaf = z.object({
  v: z.literal(1),
  /** The merchant's own id: booked at the merchant itself. */
  partnerCustomerId: MerchantOwner,
  balance: BalanceName,
  unit: z.string(),
  month: z.string(),
  closed: z.boolean().meta({ description: 'True: nothing can be added to the month any more' }),
  first: z.number().int(),
  last: z.number().int(),
  opening: LedgerAmount,
  closing: LedgerAmount,
  lines: Hash,
  nonce: z.string(),
})

/** Seals, and how each account's leaf leads to the root of its seal. `lines` are the hashes of the account's lines. */
const StatementProof = z.object({
  seals: z.array(z.object({ number: z.number().int(), size: z.number().int(), root: Hash })),
  accounts: z.array(
    z.object({
      leaf: StatementLeaf,
      seal: z.number().int(),
      index: z.number().int(),
      path: z.array(Hash),
      lines: z.array(Hash),
    }),
  ),
})

/** A month of one merchant, or a page of it (decisions §48). */
export const MerchantStatement = z.object({
  month: z.string(),
  units: z.array(
    z.object({
      unit: z.string(),
      /** Sum of all balances in the unit at the beginning of the month. */
      opening: LedgerAmount,
      /** By account, each in order. */
      entries: z.array(StatementLine),
      closing: LedgerAmount,
    }),
  ),
  sha256: Hash,
  proof: StatementProof,
})
export type MerchantStatement = z.infer<typeof MerchantStatement>

/** `ledger.statements`: a merchant's months, with their proof (decisions §48). */
export const statements = resource('ledger.statements', {
  get: operation({
    operationId: 'getStatement',
    http: get('/statements/:month'),
    tag: 'Merchant balances',
    summary: 'Get a month of the merchant’s balances, with its proof',
    description:
      'Use it for the accounts of a month that is over: its statement never changes. `causeway verify` checks it offline and names a line that was altered, added or left out. A statement of more than `limit` lines has pages: `causeway statement` joins them. The statement of the current month has what was recorded until a minute ago.',
    caller: 'merchant',
    params: z.object({ month: z.string().meta({ description: 'Month of `recordedAt` in UTC, `yyyy-mm`' }) }),
    query: z.object({ limit: limitParameter(1_000, 1_000), cursor: cursorParameter }),
    reply: z.object({ statement: MerchantStatement, nextCursor: NextCursor }),
    refusals: ['invalid_request', 'invalid_cursor'],
    waitsMs: 10_000,
  }),
})
