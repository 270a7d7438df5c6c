import { checkFileSize } from '../csv-rows.ts'

/** A file that cannot be read or written as a whole. The message says what is expected and shows no content of it. */
export class BankFileError extends Error {
  override readonly name = 'BankFileError'
}

/** @throws BankFileError for a text beyond 16 MiB */
export const checkSize = (text: string): void => checkFileSize(text, (message) => new BankFileError(message))
