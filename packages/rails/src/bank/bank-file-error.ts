/** Size limit of each file that comes from outside, in bytes of UTF-8. */
const MAX_FILE_BYTES = 10_000_000

/** A file that cannot be read or written as a whole. The message says what is expected and shows no content of it. */
export class BankFileError extends Error {
  override readonly name = 'BankFileError'
}

/** @throws BankFileError for a text beyond {@link MAX_FILE_BYTES} */
export const checkSize = (text: string): void => {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    throw new BankFileError('The file is too large: at most 10 MB are allowed.')
}
