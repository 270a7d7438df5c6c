import { Currency, MAX_AMOUNT_CENTS } from '@causeway/contracts'
import { z } from 'zod'

export const Cents = z.int().min(1).max(MAX_AMOUNT_CENTS)
const WebUrl = z.url({ protocol: /^https?$/ }).max(2_048)
const OrderKey = z.string().min(1).max(100)

/** `POST /cards/{processor}/payments` */
export const CheckoutBody = z
  .strictObject({
    order_key: OrderKey,
    kind: z.enum(['order', 'payment_link']),
    total_cents: Cents,
    refundable_cents: Cents,
    currency: Currency,
    merchant_name: z.string().min(1).max(200),
    description: z.string().max(500),
    payer_email: z.string().max(320).nullable(),
    return_url: WebUrl.nullable(),
    failure_url: WebUrl.nullable(),
    notice_url: WebUrl,
  })
  .refine((body) => body.refundable_cents <= body.total_cents, { path: ['refundable_cents'] })
export type CheckoutBody = z.infer<typeof CheckoutBody>

const OrderLine = z.strictObject({
  merchant_order_line_id: z.string().min(1).max(255),
  quantity: z.int().positive(),
})

/** `POST /cards/{processor}/payments/{id}/refunds` */
export const RefundBody = z.strictObject({
  amount_cents: Cents,
  description: z.string().max(2_000).nullable(),
  order_lines: z.array(OrderLine).min(1).nullable(),
})
export type RefundBody = z.infer<typeof RefundBody>

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .describe('Header idempotency-key')

export const PageQuery = z.strictObject({
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
})

/** `after`: the position of the page before. */
export const LinesQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
})
