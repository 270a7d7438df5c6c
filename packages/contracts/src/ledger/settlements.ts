import { z } from 'zod'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { FileImportReport, IMPORT_WAIT_MS, StoredCsv } from './import-files.ts'

/** `ledger.settlements`: settlement reports of card processors (decisions §51). */
export const settlements = resource('ledger.settlements', {
  importFile: operation({
    operationId: 'importSettlementReport',
    http: post('/settlements/import', { csv: true, largeFile: true }),
    role: 'finance',
    tag: 'Ledger',
    summary: 'Import a settlement report of a card processor',
    description:
      'Use it for processors whose reports are files. Known lines count as duplicates, so you can send a file again. A line whose id is known with other content is rejected: what was imported is never changed.',
    caller: 'operator',
    query: z.object({
      processor: z
        .string()
        .regex(/^[a-z][a-z0-9_]{0,49}$/)
        .meta({ description: 'Name of the processor, as in an order’s `processor`' }),
      from: z.iso.date().optional().meta({
        description:
          'Day (UTC) from which the books are compared with this processor’s reports: earlier payments are not expected in them. Without it: the earliest day of the first report',
      }),
    }),
    waitsMs: IMPORT_WAIT_MS,
    body: z.union([z.strictObject({ csv: z.string() }), StoredCsv]).meta({
      description:
        'With the header line_id,kind,processor_order_id,gross_cents,fee_cents,net_cents,currency,available_on,payout_ref, and optionally original_cents,original_currency,original_rate for what the processor has converted. At most 16 MiB and 100,000 lines; all of it is imported, or nothing.',
    }),
    reply: FileImportReport,
    refusals: ['invalid_request'],
  }),
})
