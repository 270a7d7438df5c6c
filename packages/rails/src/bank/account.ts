import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { isSepaText, MAX_NAME_LENGTH, MAX_REFERENCE_LENGTH, transliterate } from './sepa-text.ts'

/** Latin letters only: upper case turns some other letters into Latin ones, such as the dotless i. */
const WRITTEN_IBAN = /^[A-Za-z0-9]{2}[A-Za-z0-9 -]{0,60}$/

/** The IBAN without separators and in upper case; null where its country, length, form or checksum is wrong. */
export const parseIban = (text: string): string | null => {
  const iban = WRITTEN_IBAN.test(text) ? electronicFormatIBAN(text) : null
  return iban !== null && isValidIBAN(iban) ? iban : null
}

/** The BIC in upper case; null for any other text. */
export const parseBic = (text: string): string | null =>
  /^[A-Za-z0-9]+$/.test(text) && isValidBIC(text) ? text.toUpperCase() : null

/** Shows the country and the last four characters of an IBAN. */
export const maskIban = (iban: string): string => `${iban.slice(0, 2)}•• •••• ${iban.slice(-4)}`

/**
 * The name of an account's holder as a payment file can carry it, or null. Accents are left out there; a name in another
 * alphabet cannot be carried.
 */
export const parseHolderName = (text: string): string | null => {
  const name = transliterate(text)
  return isSepaText(name, MAX_NAME_LENGTH) ? name : null
}

/** The text of a transfer as a payment file can carry it, or null. */
export const parseTransferText = (text: string): string | null => {
  const carried = transliterate(text)
  return isSepaText(carried, MAX_REFERENCE_LENGTH) ? carried : null
}
