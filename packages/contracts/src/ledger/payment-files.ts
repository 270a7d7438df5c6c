import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'

/** Payouts of one file: its upload is recorded in one transaction, and it travels in one message of the bus. */
export const MAX_FILE_PAYOUTS = 500

/** A file by which the bank is instructed to make payouts (decisions §50). */
export const PaymentFile = z.object({
  payment_file_id: idOf('paymentFile'),
  unit: z.string(),
  payout_ids: z.array(idOf('payout')).max(MAX_FILE_PAYOUTS),
  total_cents: z.number().int(),
  sha256: z.string().meta({ description: 'SHA-256 of the file (hex)' }),
  status: z.enum(['made', 'uploaded']),
  created_at: Timestamp,
  uploaded_at: Timestamp.nullable(),
  url: z
    .string()
    .nullable()
    .meta({ description: 'URL of the file, which needs no credential. Only where one file is read' }),
  expires_at: Timestamp.nullable().meta({ description: 'When `url` stops working' }),
})
export type PaymentFile = z.infer<typeof PaymentFile>

const fileParams = z.object({ paymentFileId: idOf('paymentFile') })
const reply = z.object({ payment_file: PaymentFile })

/** `ledger.payment-files`: payouts that leave by the bank (decisions §50). */
export const paymentFiles = resource('ledger.payment-files', {
  create: operation({
    operationId: 'createPaymentFile',
    http: post('/payment-files', { status: 201 }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    summary: 'Make a payment file of the upcoming payouts to bank accounts',
    description: `Use it to pay by your bank: the file (pain.001.001.09) has every upcoming payout in the unit that goes to an IBAN, up to ${MAX_FILE_PAYOUTS}, the earliest scheduled first. A payout is in one file only, and cannot be cancelled from then on. Repeat the call for the rest; \`409 invalid_state\` with \`payouts\` 0 says that nothing is left. Send an \`Idempotency-Key\` so that a retry finds the same file.`,
    caller: 'operator',
    idempotent: 'optional',
    body: z.strictObject({ unit: Currency }),
    reply,
    refusals: ['invalid_request', 'invalid_state', 'idempotency_key_reuse'],
    waitsMs: 10_000,
  }),
  list: operation({
    operationId: 'listPaymentFiles',
    http: get('/payment-files'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List payment files, newest first',
    description: 'Use it to find files that were made and not confirmed as uploaded.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(20, 20), cursor: cursorParameter }),
    reply: z.object({ payment_files: z.array(PaymentFile), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getPaymentFile',
    http: get('/payment-files/:paymentFileId'),
    role: 'finance',
    tag: 'Payments',
    summary: 'Get a payment file and the URL of its content',
    description:
      'Use it to upload the file at the bank. `url` needs no credential and expires after five minutes; read the file again for another one. It is null once the bank has settled or returned every payout of the file: the accounts in it are erased then.',
    caller: 'operator',
    params: fileParams,
    reply,
    refusals: ['resource_not_found'],
  }),
  markUploaded: operation({
    operationId: 'markPaymentFileUploaded',
    http: post('/payment-files/:paymentFileId/uploaded'),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    repeatable: true,
    summary: 'Record that a payment file was uploaded at the bank',
    description:
      'Use it when the bank has accepted the file: its payouts are `sent`, and their merchants receive `payout_sent`. Repeated, it changes nothing.',
    caller: 'operator',
    params: fileParams,
    reply,
    refusals: ['resource_not_found'],
    waitsMs: 10_000,
  }),
  getFile: operation({
    operationId: 'downloadPaymentFile',
    summary: 'Download a payment file by its url',
    description: 'Use it before `expires_at`. The response is an attachment, and is never cached.',
    caller: 'public',
    params: z.object({ token: z.string().max(200) }),
    reply: z.object({
      file_name: z.string(),
      mime_type: z.string(),
      file_size_bytes: z.number().int(),
      content_base64: z.string(),
    }),
    refusals: ['resource_not_found'],
  }),
})
