import { implement, refuse, type Db, type Implementation, type OperationRequest } from '@causeway/chassis'
import { settlements } from '@causeway/contracts'
import { readSettlementLines, SettlementFileError, type SettlementLine } from '@causeway/rails/settlements'
import type { ImportFile, Source } from '../import-files/import-file.ts'
import { receivable } from '../posting/accounts.ts'
import { isKnownProcessor, saveFirstDay, sourceNameOf, storeLines } from './store.ts'

type Request = OperationRequest<typeof settlements.importFile>

/** The day on which the comparison begins is known after the last line, and stored before any is visible. */
const sourceOf = ({ query: { processor, from }, now }: Request): Source<SettlementLine> => {
  let earliest: string | undefined
  return {
    name: sourceNameOf(processor),
    read: readSettlementLines,
    isFault: (error) => error instanceof SettlementFileError,
    async store(tx, lines) {
      for (const { availableOn } of lines)
        if (earliest === undefined || availableOn < earliest) earliest = availableOn
      const { stored, differing } = await storeLines(tx, { processor, lines, now })
      return { stored: stored.size, differing }
    },
    finish: (tx) => saveFirstDay(tx, { processor, earliest, from, now }),
    idOf: ({ lineId }) => lineId,
    differs: 'line_id: was imported before with other content.',
  }
}

type Dependencies = Readonly<{ db: Db; importFile: ImportFile }>

const importReport = async ({ db, importFile }: Dependencies, request: Request) => {
  const { query, body, now, deadlineMs } = request
  const { name: account } = receivable(query.processor)
  if ((await isKnownProcessor(db, { account }))?.known !== true)
    return refuse('invalid_request', [
      { field: 'processor', reason: 'invalid_value', expected: 'a processor with payments in the books' },
    ])
  if (query.from !== undefined && query.from > now.toISOString())
    return refuse('invalid_request', [{ field: 'from', reason: 'too_big', expected: 'a day that has begun' }])
  return importFile({ body, deadlineMs, source: sourceOf(request) })
}

/** `ledger.settlements` (decisions §51). */
export const settlementOperations = (dependencies: Dependencies): Implementation[] =>
  implement(settlements, { importFile: (request) => importReport(dependencies, request) })
