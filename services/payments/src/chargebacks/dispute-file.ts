import { Currency, text } from '@causeway/contracts'
import type { CardDispute } from '@causeway/rails/cards'
import { z } from 'zod'

/** Columns of the dispute file (decisions §10), in any order. */
export const DISPUTE_COLUMNS = [
  'dispute_id',
  'order_key',
  'disputed_at',
  'dispute_amount_cents',
  'dispute_currency',
  'fee_cents',
  'fee_currency',
] as const

/** An empty cell means that the processor stated no value: null. */
const optionalCell = <T extends z.ZodType<unknown, string>>(shape: T) =>
  z
    .string()
    .transform((text) => (text === '' ? null : text))
    .pipe(shape.nullable())

const Cents = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
const Time = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => new Date(text))

const Row = z
  .object({
    dispute_id: text(255),
    order_key: z.string().regex(/^[1-9]\d{0,14}$/),
    disputed_at: optionalCell(Time),
    dispute_amount_cents: optionalCell(Cents),
    dispute_currency: optionalCell(Currency),
    fee_cents: optionalCell(Cents),
    fee_currency: optionalCell(Currency),
  })
  .refine((row) => (row.dispute_amount_cents === null) === (row.dispute_currency === null), {
    path: ['dispute_currency'],
  })
  .refine((row) => (row.fee_cents === null) === (row.fee_currency === null), { path: ['fee_currency'] })

/** The dispute of a line with its order's key, or the column that is wrong. */
export const parseDisputeLine = (
  line: Readonly<Record<string, unknown>>,
): { ok: true; orderKey: string; dispute: CardDispute } | { ok: false; reason: string } => {
  const parsed = Row.safeParse(line)
  if (!parsed.success) return { ok: false, reason: `invalid_${String(parsed.error.issues[0]?.path[0])}` }
  const row = parsed.data
  return {
    ok: true,
    orderKey: row.order_key,
    dispute: {
      disputeId: row.dispute_id,
      disputedAt: row.disputed_at,
      amountCents: row.dispute_amount_cents,
      currency: row.dispute_currency,
      feeCents: row.fee_cents,
      feeCurrency: row.fee_currency,
      reason: null,
    },
  }
}
