import { z } from 'zod'
import { IpAddress } from './fiat-orders.ts'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  limitParameter,
  NextCursor,
  pageParameters,
  text,
  Timestamp,
} from '../primitives.ts'

/** A payer's e-mail or IP address, across all partners and merchants. */
export const PayerQuery = z
  .strictObject({ email: text(320).optional(), ip: IpAddress.optional() })
  .refine(({ email, ip }) => email !== undefined || ip !== undefined, {
    path: ['email'],
    params: { reason: 'required' },
  })
  .refine(({ email, ip }) => email === undefined || ip === undefined, {
    path: ['ip'],
    params: { reason: 'invalid_value', expected: 'either email or ip' },
  })
export type PayerQuery = z.infer<typeof PayerQuery>

export const PayerRecord = z.object({
  kind: z.enum(['crypto_order', 'card_order', 'chargeback', 'chargeback_case']),
  id: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type PayerRecord = z.infer<typeof PayerRecord>

export const ErasedOfPayer = z.object({
  what: z.enum(['crypto_orders', 'card_orders', 'chargebacks', 'chargeback_cases', 'risk_alerts']),
  count: z.number().int().positive(),
})
export type ErasedOfPayer = z.infer<typeof ErasedOfPayer>

/** Data that an erasure keeps, why, and until when; null: no known end. */
export const RemainingOfPayer = z.object({
  what: z.enum(['chargeback_cases', 'webhook_events', 'backups']),
  why: z.string(),
  until: Timestamp.nullable(),
})
export type RemainingOfPayer = z.infer<typeof RemainingOfPayer>

export const PayerRecordList = z.object({ records: z.array(PayerRecord), next_cursor: NextCursor })

/**
 * `payments.payers`: export and erasure of the data of one payer. Both are POST, so that addresses are in no URL and no
 * log. Each call reads a bounded number of orders; `next_cursor`: there are more.
 */
export const payers = resource('payments.payers', {
  export: operation({
    operationId: 'exportPayer',
    http: post('/payers/export'),
    role: 'admin',
    tag: 'Personal data',
    safe: true,
    summary: 'Export the data of a payer, in pages; a page before the last can be short or empty',
    description: 'Use it to answer a payer’s access request, by e-mail or IP address.',
    caller: 'operator',
    query: z.object(pageParameters),
    body: PayerQuery,
    reply: PayerRecordList,
    refusals: ['invalid_cursor'],
  }),
  erase: operation({
    operationId: 'erasePayer',
    http: post('/payers/erase'),
    role: 'admin',
    tag: 'Personal data',
    fourEyes: ['erasure'],
    repeatable: true,
    summary: 'Erase a payer’s data, at most `limit` orders per call, and report what remains and why',
    description: 'Use it for an erasure request. Repeat it with `next_cursor` until that is null.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(5_000, 5_000), cursor: cursorParameter }),
    body: PayerQuery,
    reply: z.object({
      erased: z.array(ErasedOfPayer),
      remaining: z.array(RemainingOfPayer),
      next_cursor: NextCursor,
    }),
    refusals: ['invalid_cursor'],
  }),
})
