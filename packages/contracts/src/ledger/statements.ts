import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor } from '../primitives.ts'
import { BalanceName, MerchantBalanceEntry } from './balance-entries.ts'
import { LedgerAmount } from './units.ts'

/** Owner of an account: a relationship, a merchant itself (decisions §49), or a partner with its earnings. */
const StatementOwner = z.union([idOf('relationship'), idOf('merchant'), idOf('partner')])

/** A line of a statement: an entry with its number in its account, which has no gaps. */
export const StatementLine = MerchantBalanceEntry.omit({ unit: true }).extend({
  partnerCustomerId: StatementOwner,
  number: z.number().int().meta({ description: 'Place in its account: owner, balance and unit' }),
})

const Hash = z.string().meta({ description: 'SHA-256, hexadecimal' })

/** An account of one month as a seal commits to it (ADR 0079). */
const StatementLeaf = z.object({
  v: z.literal(1),
  /** The owner; of a merchant its own id for what is booked at the merchant itself. */
  partnerCustomerId: StatementOwner,
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

/** A month of a merchant, or of a partner's earnings, or a page of it (decisions §48). Its hashes cover the spelling. */
export const Statement = z.object({
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
export type Statement = z.infer<typeof Statement>

const period = {
  params: z.object({ month: z.string().meta({ description: 'Month of `recordedAt` in UTC, `yyyy-mm`' }) }),
  query: z.object({ limit: limitParameter(1_000, 1_000), cursor: cursorParameter }),
  refusals: ['invalid_request', 'invalid_cursor'],
  waitsMs: 10_000,
} as const

/** `ledger.statements`: months of a merchant and of a partner, with their proof (decisions §48). */
export const statements = resource('ledger.statements', {
  get: operation({
    operationId: 'getStatement',
    http: get('/statements/:month'),
    tag: 'Merchant balances',
    summary: 'Get a month of the merchant’s balances, with its proof',
    description:
      'Use it for the accounts of a month that is over: its statement never changes. `causeway verify` checks it offline and names a line that was altered, added or left out. A statement of more than `limit` lines has pages: `causeway statement` joins them. The statement of the current month has what was recorded until a minute ago.',
    caller: 'merchant',
    ...period,
    reply: z.object({ statement: Statement, nextCursor: NextCursor }),
  }),
  getOfPartner: operation({
    operationId: 'getOwnStatement',
    http: get('/statements/:month', { scopes: ['partner:read'] }),
    tag: 'Balances',
    summary: 'Get a month of the partner’s own earnings, with its proof',
    description:
      'Use it for the accounts of a month that is over: its statement never changes. The statement is spelled as a merchant’s is (camelCase), because its hashes cover the spelling: `causeway verify` checks both.',
    ...period,
    reply: z.object({ statement: Statement, next_cursor: NextCursor }),
  }),
})
