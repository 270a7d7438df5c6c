import { implement, type Implementation, type OperationRequest } from '@causeway/chassis'
import { bankStatements } from '@causeway/contracts'
import { BankFileError, readStatementLines, type BankLine } from '@causeway/rails/bank'
import { typeOf, type FileType, type ImportFile, type Source } from '../import-files/import-file.ts'
import { importedLineOf } from './statement.ts'
import { insertLines, listOthers, valuesOf } from './store.ts'

const sourceOf = (type: FileType, now: Date): Source<BankLine> => ({
  name: 'bank:main',
  read: (text) => readStatementLines(text, type === 'xml' ? 'camt053' : 'csv'),
  isFault: (error) => error instanceof BankFileError,
  async store(tx, lines) {
    const values = valuesOf(lines.map(importedLineOf))
    const stored = await insertLines(tx, { ...values, now })
    const differing = await listOthers(tx, values)
    return { stored: stored.length, differing: new Set(differing.map(({ lineId }) => lineId)) }
  },
  idOf: ({ lineId }) => lineId,
  differs: `${type === 'xml' ? 'AcctSvcrRef or NtryRef' : 'line_id'}: was imported before with other content.`,
})

type Dependencies = Readonly<{ importFile: ImportFile; onImported: () => void }>

const importStatement = async (
  { importFile, onImported }: Dependencies,
  { body, now, deadlineMs }: OperationRequest<typeof bankStatements.importFile>,
) => {
  const answer = await importFile({ body, deadlineMs, source: sourceOf(typeOf(body), now) })
  if (answer.ok) onImported()
  return answer
}

/** `ledger.bank-statements` (decisions §51). @param dependencies `onImported`: called when lines were stored */
export const bankStatementOperations = (dependencies: Dependencies): Implementation[] =>
  implement(bankStatements, { importFile: (request) => importStatement(dependencies, request) })
