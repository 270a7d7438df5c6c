/** Settlement reports of the card processors: fetched from them, or read from a file. */
export { openSettlementReports } from './card/processors.ts'
export {
  readSettlementCsv,
  readSettlementLines,
  SettlementFileError,
  writeSettlementCsv,
} from './settlement/csv.ts'
export type { OriginalAmount, SettlementKind, SettlementLine, SettlementReport } from './settlement/line.ts'
