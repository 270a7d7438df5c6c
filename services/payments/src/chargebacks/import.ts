import { refuse, reply, type ServiceContext, type OperationRequest } from '@causeway/chassis'
import type { chargebacks, ImportReport } from '@causeway/contracts'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { CardSettlement } from '../card-settlement/settlement.ts'
import { lockByKey } from '../card-settlement/store.ts'
import { findDispute } from '../disputes/store.ts'
import { isOpen } from '../fiat-orders/domain.ts'
import { DISPUTE_COLUMNS, parseDisputeLine } from './dispute-file.ts'

const Parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number().int() }) }))

/** More lines than 256 KiB of real disputes have; the report names each rejected line and must fit into a reply. */
const MAX_LINES = 5_000

/** The file's lines by column, or null when it is not CSV or lacks a column. Parsing stops past the limit. */
const parseFile = (csv: string) => {
  try {
    const form = { bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true }
    const options = { ...form, to: MAX_LINES + 2 }
    const [header, ...rows] = Parsed.parse(parse(csv, options))
    const columns = header?.record ?? []
    if (!DISPUTE_COLUMNS.every((name) => columns.includes(name))) return null
    const indices = DISPUTE_COLUMNS.map((name) => [name, columns.indexOf(name)] as const)
    return rows.map(({ record, info }) => ({
      line: info.lines,
      isWhole: record.length === columns.length,
      cells: Object.fromEntries(indices.map(([name, index]) => [name, record[index]])),
    }))
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

const NO_DISPUTE_FILE = {
  field: 'csv',
  reason: 'invalid_value',
  expected: `CSV (RFC 4180) with the columns ${DISPUTE_COLUMNS.join(', ')}`,
}

type LineResult = 'imported' | 'duplicate' | Readonly<{ reason: string }>

/**
 * Imports the dispute file of a processor that sends no notices. Each line is a separate transaction: an invalid one
 * is reported and the others count; importing the file again changes nothing (decisions §10 and §14).
 */
export const createDisputeImport = ({ db }: ServiceContext, settlement: CardSettlement) => {
  const importLine = async (cells: Readonly<Record<string, unknown>>): Promise<LineResult> => {
    const parsed = parseDisputeLine(cells)
    if (!parsed.ok) return { reason: parsed.reason }
    const { orderKey, dispute } = parsed
    return db.transaction(async (tx): Promise<LineResult> => {
      const locked = await lockByKey(tx, { orderKey })
      if (!locked || !isOpen(locked)) return { reason: 'unknown_order' }
      const { processor } = locked
      const known = await findDispute(tx, { processor, disputeId: dispute.disputeId })
      if (known)
        return known.orderKey === locked.orderKey ? 'duplicate' : { reason: 'dispute_of_another_order' }
      if (['pending', 'cancelled', 'expired'].includes(locked.status)) return { reason: 'order_not_paid' }
      return (await settlement.applyDispute(tx, locked, dispute)) ? 'imported' : 'duplicate'
    })
  }

  return async ({ body }: OperationRequest<(typeof chargebacks)['importFile']>) => {
    const lines = parseFile(body.csv)
    if (lines === null) return refuse('invalid_request', [NO_DISPUTE_FILE])
    if (lines.length > MAX_LINES)
      return refuse('invalid_request', [
        { field: 'csv', reason: 'too_many', expected: `at most ${MAX_LINES} lines` },
      ])
    const report: ImportReport = { imported: 0, duplicates: 0, rejected: [] }
    for (const { line, isWhole, cells } of lines) {
      const result = isWhole ? await importLine(cells) : { reason: 'wrong_number_of_cells' }
      if (result === 'imported') report.imported += 1
      else if (result === 'duplicate') report.duplicates += 1
      else report.rejected.push({ line, reason: result.reason })
    }
    return reply(report)
  }
}
