import { z } from 'zod'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { FileImportReport, IMPORT_WAIT_MS, StoredCsvOrXml } from './import-files.ts'

/** `ledger.bank-statements`: statements of the account that payouts are made from (decisions §51). */
export const bankStatements = resource('ledger.bank-statements', {
  importFile: operation({
    operationId: 'importBankStatement',
    http: post('/bank-statements/import', { csv: true, xml: true, largeFile: true }),
    role: 'finance',
    tag: 'Ledger',
    summary: 'Import a statement of the bank',
    description:
      'Use it daily: a line that carries the reference of a payout, with its amount, settles it, and a credit for a settled one returns it. A line without a counterpart becomes a difference. Known lines count as duplicates, so you can send a file again. A line whose id is known with other content is rejected: what was imported is never changed.',
    caller: 'operator',
    waitsMs: IMPORT_WAIT_MS,
    body: z
      .union([z.strictObject({ xml: z.string() }), z.strictObject({ csv: z.string() }), StoredCsvOrXml])
      .meta({
        description:
          'camt.053.001.02 or camt.053.001.08, or CSV with the header line_id,booked_at,amount_cents,currency,reference,counterparty. At most 16 MiB and 100,000 lines; all of it is imported, or nothing.',
      }),
    reply: FileImportReport,
    refusals: ['invalid_request'],
  }),
})
