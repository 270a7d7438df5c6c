import { refuse, reply, type ServiceContext, type OperationRequest } from '@causeway/chassis'
import type { chargebacks, ImportReport } from '@causeway/contracts'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { DISPUTE_COLUMNS, readDisputeLine } from './file.ts'
import { isOpen } from '../fiat-orders/domain.ts'
import { findDispute } from '../chargebacks/store.ts'
import { lockByKey } from '../card-settlement/store.ts'
import type { FiatSettlement } from '../card-settlement/settlement.ts'

const Parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number().int() }) }))

/** More than 256 KiB of real disputes are; the report names each line that is rejected and has to fit into a reply. */
const MAX_LINES = 5_000

/** The file's lines by column, or null when it is no CSV or lacks a column. Past the limit reading stops. */
const readFile = (csv: string) => {
  try {
    const form = { bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true }
    const options = { ...form, to: MAX_LINES + 2 }
    const [header, ...rows] = Parsed.parse(parse(csv, options))
    const columns = header?.record ?? []
    if (!DISPUTE_COLUMNS.every((name) => columns.includes(name))) return null
    const places = DISPUTE_COLUMNS.map((name) => [name, columns.indexOf(name)] as const)
    return rows.map(({ record, info }) => ({
      line: info.lines,
      isWhole: record.length === columns.length,
      cells: Object.fromEntries(places.map(([name, index]) => [name, record[index]])),
    }))
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/**
 * Imports the periodic file of a processor that sends no notices. Each line is an effect of its own: a bad one is
 * reported and the others count; a file that is sent again changes nothing (decisions §10 and §14).
 */
export const createDisputeImport = ({ db }: ServiceContext, settlement: FiatSettlement) => {
  type Verdict = 'imported' | 'duplicate' | { reason: string }

  const take = async (cells: Readonly<Record<string, unknown>>): Promise<Verdict> => {
    const row = readDisputeLine(cells)
    if (!row.ok) return { reason: row.reason }
    return db.transaction(async (tx): Promise<Verdict> => {
      const held = await lockByKey(tx, { orderKey: row.orderKey })
      if (!held || !isOpen(held)) return { reason: 'unknown_order' }
      const known = await findDispute(tx, {
        processor: held.processor,
        disputeId: row.dispute.disputeId,
      })
      if (known)
        return known.orderKey === held.orderKey ? 'duplicate' : { reason: 'dispute_of_another_order' }
      if (['pending', 'cancelled', 'expired'].includes(held.status)) return { reason: 'order_not_paid' }
      return (await settlement.applyDispute(tx, held, row.dispute)) ? 'imported' : 'duplicate'
    })
  }

  return async ({ body }: OperationRequest<(typeof chargebacks)['importFile']>) => {
    const lines = readFile(body.csv)
    if (lines === null) return refuse('invalid_request', [{ field: 'csv', reason: 'invalid_value' }])
    if (lines.length > MAX_LINES) return refuse('invalid_request', [{ field: 'csv', reason: 'too_many' }])
    const report: ImportReport = { imported: 0, duplicates: 0, rejected: [] }
    for (const { line, isWhole, cells } of lines) {
      const verdict = isWhole ? await take(cells) : { reason: 'wrong_number_of_cells' }
      if (verdict === 'imported') report.imported += 1
      else if (verdict === 'duplicate') report.duplicates += 1
      else report.rejected.push({ line, reason: verdict.reason })
    }
    return reply(report)
  }
}
