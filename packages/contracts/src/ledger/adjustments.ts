import { z } from 'zod'
import { preparationOf } from '../gateway/four-eyes.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  MAX_AMOUNT_CENTS,
  NextCursor,
  text,
  Timestamp,
} from '../primitives.ts'
import { LedgerAmount, LedgerUnit } from './units.ts'

const MAX_REASON_LENGTH = 500

/** A correction of an owner's available balance by staff (decisions §48). */
export const Adjustment = z.object({
  adjustment_id: idOf('adjustment'),
  journal_id: idOf('journal'),
  partner_customer_id: idOf('relationship').nullable(),
  partner_id: idOf('partner').nullable(),
  unit: z.string(),
  /** Signed. */
  amount: LedgerAmount,
  reason: z.string(),
  /** The available balance after it. */
  available: LedgerAmount,
  created_at: Timestamp,
})
export type Adjustment = z.infer<typeof Adjustment>

/** A part of a negative balance that the platform bears (decisions §48): an adjustment from `cost:loss`. */
export const WriteOff = Adjustment.omit({ available: true })
export type WriteOff = z.infer<typeof WriteOff>

/** Decimals beyond those of the asset are refused by the ledger. */
const Decimals = z.string().regex(/^-?\d{1,12}(\.\d{1,18})?$/)
const Cents = z.number().int().min(-MAX_AMOUNT_CENTS).max(MAX_AMOUNT_CENTS)

const adjusted = {
  partner_customer_id: idOf('relationship').optional(),
  partner_id: idOf('partner').optional(),
  unit: LedgerUnit,
  amount: z.union([Cents, Decimals]).meta({
    description:
      'Signed and not 0: minor units of a currency as an integer, or the decimal number of an asset as text',
  }),
}

/** Adds what the fields of an adjustment have to satisfy together. */
const withRules = <S extends z.ZodType<z.output<z.ZodObject<typeof adjusted>>>>(schema: S) =>
  schema
    .refine((given) => (given.partner_customer_id === undefined) !== (given.partner_id === undefined), {
      path: ['partner_customer_id'],
      params: { reason: 'invalid_value', expected: 'either partner_customer_id or partner_id' },
    })
    .refine(({ unit, amount }) => (typeof amount === 'string') === unit.includes('/'), {
      path: ['amount'],
      params: { reason: 'invalid_type', expected: 'an integer for a currency, text for an asset' },
    })
    .refine(({ amount }) => /[1-9]/.test(String(amount)), {
      path: ['amount'],
      params: { reason: 'invalid_value', expected: 'an amount that is not 0' },
    })

/** An adjustment whose reason is that of what it belongs to. */
export const AdjustedAmount = withRules(z.strictObject(adjusted))
export type AdjustedAmount = z.output<typeof AdjustedAmount>

const body = withRules(z.strictObject({ ...adjusted, reason: text(MAX_REASON_LENGTH) }))
export type AdjustmentRequest = z.output<typeof body>

const writeOffBody = withRules(
  z.strictObject({
    ...adjusted,
    amount: z
      .union([z.number().int().min(1).max(MAX_AMOUNT_CENTS), z.string().regex(/^\d{1,12}(\.\d{1,18})?$/)])
      .meta({
        description:
          'At most what the available balance is below zero: minor units of a currency as an integer, or the decimal number of an asset as text',
      }),
    reason: text(MAX_REASON_LENGTH),
  }),
)
const writeOffRefusals = ['invalid_request', 'resource_not_found'] as const

const refusals = ['invalid_request', 'resource_not_found', 'amount_exceeds_available'] as const

/** `ledger.adjustments`: corrections and write-offs by staff (decisions §48). */
export const adjustments = resource('ledger.adjustments', {
  create: operation({
    operationId: 'createLedgerAdjustment',
    http: post('/ledger/adjustments', { status: 201 }),
    role: 'finance',
    tag: 'Ledger',
    fourEyes: ['ledger'],
    preparedBy: 'prepareCreation',
    summary: 'Adjust the available balance of a relationship or a partner',
    description:
      'Use it to correct what no fact corrects: the amount moves between `suspense` and the owner’s available balance, which it never takes below zero. Send an `Idempotency-Key` so that a retry does not adjust a second time.',
    caller: 'operator',
    idempotent: 'optional',
    body,
    reply: z.object({ adjustment: Adjustment }),
    refusals: [...refusals, 'idempotency_key_reuse'],
  }),
  prepareCreation: operation({
    summary: 'Refuse an adjustment that would be refused now',
    caller: 'operator',
    body,
    reply: preparationOf(z.null()),
    refusals,
  }),
  writeOff: operation({
    operationId: 'writeOffNegativeBalance',
    http: post('/ledger/write-offs', { status: 201 }),
    role: 'finance',
    tag: 'Ledger',
    fourEyes: ['losses'],
    preparedBy: 'prepareWriteOff',
    summary: 'Write off a negative balance of a relationship or a partner',
    description:
      'Use it for a debt that later payments will not cover: the amount moves from `cost:loss` to the owner’s available balance, which it never takes above zero. It always waits for a second person, whatever `FOUR_EYES` names. Send an `Idempotency-Key` so that a retry does not write off a second time.',
    caller: 'operator',
    idempotent: 'optional',
    body: writeOffBody,
    reply: z.object({ write_off: WriteOff }),
    refusals: [...writeOffRefusals, 'idempotency_key_reuse'],
  }),
  prepareWriteOff: operation({
    summary: 'Refuse a write-off that would be refused now',
    caller: 'operator',
    body: writeOffBody,
    reply: preparationOf(z.null()),
    refusals: writeOffRefusals,
  }),
  listWriteOffs: operation({
    operationId: 'listWriteOffs',
    http: get('/ledger/write-offs'),
    role: 'viewer',
    tag: 'Ledger',
    summary: 'List negative balances that were written off, newest first',
    description: 'Use it to see what the platform has lost to whom, and why.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ write_offs: z.array(WriteOff), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
})
