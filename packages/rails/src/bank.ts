/** Payment files for a bank, and the statements of a bank: text in, text out, without a connection. */
export { maskIban, parseBic, parseHolderName, parseIban, parseTransferText } from './bank/account.ts'
export { BankFileError } from './bank/bank-file-error.ts'
export { STATEMENT_COLUMNS } from './bank/csv.ts'
export type { BankLine } from './bank/line.ts'
export { type Payment, readPaymentFile, type ReceivedPaymentFile } from './bank/payment-file.ts'
export { readBankStatement, readStatementLines, type StatementFormat } from './bank/statement.ts'
export { type PaymentFile, writePaymentFile } from './bank/write-payment-file.ts'
