import { BankFileError } from './bank-file-error.ts'
import { toMinorUnits } from './line.ts'
import { attributeAt, childrenOf, elementAt, readDocument, textAt, type XmlNode } from './xml.ts'

/** One payment of a file, in euro. */
export type Payment = Readonly<{
  /** Ours; the bank repeats it in its statement. At most 35 characters of the SEPA character set. */
  endToEndId: string
  amountCents: bigint
  iban: string
  /** Name of the recipient. */
  name: string
  bic?: string
  /** Text for the recipient. */
  reference?: string
}>

/** A payment file as the bank reads it. */
export type ReceivedPaymentFile = Readonly<{ messageId: string; payments: readonly Payment[] }>

/** Maximum payments of a file. Their sum is exact as a double with two decimals, which the library writes. */
export const MAX_PAYMENTS = 10_000

const MESSAGES = ['pain.001.001.03', 'pain.001.001.09']

const invalid = (field: string, expected: string): BankFileError =>
  new BankFileError(`${field}: ${expected} is required.`)

const required = (node: XmlNode, path: string): string => {
  const text = textAt(node, path)
  if (text === null) throw invalid(path, 'a value')
  return text
}

const readPayment = (node: XmlNode): Payment => {
  const amountCents = toMinorUnits(textAt(node, 'Amt/InstdAmt') ?? '', 'EUR')
  if (!amountCents || attributeAt(node, 'Amt/InstdAmt', 'Ccy') !== 'EUR')
    throw invalid('Amt/InstdAmt', 'an amount of EUR above zero with at most 2 decimals')
  const bic = textAt(node, 'CdtrAgt/FinInstnId/BICFI') ?? textAt(node, 'CdtrAgt/FinInstnId/BIC')
  const reference = textAt(node, 'RmtInf/Ustrd')
  return {
    endToEndId: required(node, 'PmtId/EndToEndId'),
    amountCents,
    iban: required(node, 'CdtrAcct/Id/IBAN'),
    name: required(node, 'Cdtr/Nm'),
    ...(bic !== null && { bic }),
    ...(reference !== null && { reference }),
  }
}

const sumOf = (payments: readonly Payment[]): bigint =>
  payments.reduce((sum, { amountCents }) => sum + amountCents, 0n)

/** Compares the stated number and sum of payments; the sum is optional, the number only where `needsCount`. */
const checkTotals = (node: XmlNode, payments: readonly Payment[], needsCount: boolean): void => {
  const count = textAt(node, 'NbOfTxs')
  if (count === null ? needsCount : count !== String(payments.length))
    throw invalid('NbOfTxs', `the number of the payments, ${payments.length},`)
  const sum = textAt(node, 'CtrlSum')
  if (sum !== null && toMinorUnits(sum, 'EUR') !== sumOf(payments))
    throw invalid('CtrlSum', 'the sum of the amounts')
}

/**
 * Reads a payment file (pain.001.001.03 or .09) as a bank does: all of it, or nothing.
 * @throws BankFileError that names what is expected: the document, a field, or the number or sum of the payments
 */
export const readPaymentFile = (text: string): ReceivedPaymentFile => {
  const document = readDocument(text, MESSAGES)
  const initiation = elementAt(document, 'CstmrCdtTrfInitn')
  const header = initiation && elementAt(initiation, 'GrpHdr')
  if (!initiation || !header) throw invalid('CstmrCdtTrfInitn/GrpHdr', 'a group header')
  const payments = childrenOf(initiation, 'PmtInf').flatMap((batch) => {
    const ofBatch = childrenOf(batch, 'CdtTrfTxInf').map(readPayment)
    checkTotals(batch, ofBatch, false)
    return ofBatch
  })
  if (payments.length === 0) throw invalid('CdtTrfTxInf', 'at least one payment')
  if (payments.length > MAX_PAYMENTS)
    throw invalid('CdtTrfTxInf', `a number of at most ${MAX_PAYMENTS} payments`)
  checkTotals(header, payments, true)
  return { messageId: required(header, 'MsgId'), payments }
}
