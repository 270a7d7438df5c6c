import { Document, validateIBAN } from 'sepa'
import { z } from 'zod'
import { BankFileError } from './bank-file-error.ts'
import { MAX_PAYMENTS, type Payment } from './payment-file.ts'
import { isSepaText, MAX_NAME_LENGTH, MAX_REFERENCE_LENGTH, transliterate } from './sepa-text.ts'

/** Payments that a bank is asked to make from one account. */
export type PaymentFile = Readonly<{
  /** At most 35 characters of the SEPA character set; a bank refuses one that it has seen. */
  messageId: string
  /** ISO 8601; written in UTC. */
  createdAt: string
  /** YYYY-MM-DD. */
  executionDate: string
  debtor: Readonly<{ name: string; iban: string; bic?: string }>
  payments: readonly Payment[]
}>

const MESSAGE = 'pain.001.001.09'
const MAX_ID_LENGTH = 35
/** Limit of one payment in the library, as of the SEPA scheme: EUR 999,999,999.99. */
const MAX_AMOUNT_CENTS = 99_999_999_999n

const SEPA_ID = /^(?!\/)(?!.*\/\/)[A-Za-z0-9/\-?:().,'+]{1,35}(?<!\/)$/

const sepaText = (maxLength: number) =>
  z
    .string()
    .transform(transliterate)
    .refine((text) => isSepaText(text, maxLength), {
      error: `use 1 to ${maxLength} Latin letters, digits, spaces and / - ? : ( ) . , ' +`,
    })
const SepaId = z.string().regex(SEPA_ID, {
  error: `use 1 to ${MAX_ID_LENGTH} Latin letters, digits and - ? : ( ) . , ' +, and / only between them`,
})
const Iban = z
  .string()
  .transform((text) => text.replaceAll(' ', ''))
  .refine((text) => /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(text) && validateIBAN(text), {
    error: 'enter a valid IBAN',
  })
const Bic = z
  .string()
  .regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, { error: 'enter a BIC of 8 or 11 characters' })

const Shape = z.object({
  messageId: SepaId,
  createdAt: z.iso.datetime({ offset: true, error: 'enter a time in ISO 8601' }),
  executionDate: z.iso.date({ error: 'enter a date in the form YYYY-MM-DD' }),
  debtor: z.object({ name: sepaText(MAX_NAME_LENGTH), iban: Iban, bic: Bic.optional() }),
  payments: z
    .array(
      z.object({
        endToEndId: SepaId,
        amountCents: z
          .bigint()
          .min(1n, { error: 'enter an amount above zero' })
          .max(MAX_AMOUNT_CENTS, { error: 'enter at most EUR 999,999,999.99' }),
        iban: Iban,
        name: sepaText(MAX_NAME_LENGTH),
        bic: Bic.optional(),
        reference: sepaText(MAX_REFERENCE_LENGTH).optional(),
      }),
    )
    .min(1, { error: 'at least one payment is required' })
    .max(MAX_PAYMENTS, { error: `at most ${MAX_PAYMENTS} payments are allowed` })
    .refine((payments) => new Set(payments.map(({ endToEndId }) => endToEndId)).size === payments.length, {
      error: 'each endToEndId is allowed once in a file, because the statement names the payment by it',
    }),
})
type Checked = z.infer<typeof Shape>

const check = (file: PaymentFile): Checked => {
  const parsed = Shape.safeParse(file)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BankFileError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`)
}

/** The library writes a date's parts in the zone of the process; these are in UTC. */
class UtcDate extends Date {
  override getFullYear(): number {
    return this.getUTCFullYear()
  }
  override getMonth(): number {
    return this.getUTCMonth()
  }
  override getDate(): number {
    return this.getUTCDate()
  }
  override getHours(): number {
    return this.getUTCHours()
  }
  override getMinutes(): number {
    return this.getUTCMinutes()
  }
  override getSeconds(): number {
    return this.getUTCSeconds()
  }
}

/** Exact up to 7 * 10^15 cents: the nearest double is then closer to the amount than half a cent. */
const toEuros = (cents: bigint): number => Number(cents) / 100

/** Calls the library's own check, which knows no path. */
const validated = <T extends Readonly<{ validate: () => void }>>(path: string, item: T): T => {
  try {
    item.validate()
  } catch (error) {
    throw new BankFileError(`${path}: ${error instanceof Error ? error.message : ''}.`, { cause: error })
  }
  return item
}

/**
 * Writes a payment file (pain.001.001.09) of euro payments for the bank of the debtor. Names and references are written
 * in the SEPA character set, without accents; a payment without a reference carries its EndToEndId as text.
 * @throws BankFileError that names the field and what is expected; also for a file without payments
 */
export const writePaymentFile = (file: PaymentFile): string => {
  const { messageId, createdAt, executionDate, debtor, payments } = check(file)
  const document = new Document(MESSAGE)
  document.grpHdr.id = messageId
  document.grpHdr.created = new UtcDate(createdAt)
  document.grpHdr.initiatorName = debtor.name

  const batch = document.createPaymentInfo()
  batch.requestedExecutionDate = new UtcDate(executionDate)
  batch.debtorName = debtor.name
  batch.debtorIBAN = debtor.iban
  if (debtor.bic !== undefined) batch.debtorBIC = debtor.bic
  document.addPaymentInfo(batch)
  // The library appends a number to each id, which can make it longer than 35 characters.
  batch.id = messageId

  for (const [index, payment] of payments.entries()) {
    const transaction = batch.createTransaction()
    batch.addTransaction(transaction)
    transaction.id = payment.endToEndId
    transaction.end2endId = payment.endToEndId
    transaction.amount = toEuros(payment.amountCents)
    transaction.creditorName = payment.name
    transaction.creditorIBAN = payment.iban
    if (payment.bic !== undefined) transaction.creditorBIC = payment.bic
    transaction.remittanceInfo = payment.reference ?? payment.endToEndId
    validated(`payments.${index}`, transaction)
  }
  validated('debtor', batch)

  // The library adds doubles: two in three files of 10,000 large amounts would state a wrong sum.
  const sum = payments.reduce((total, { amountCents }) => total + amountCents, 0n)
  batch.normalize = () => {
    batch.controlSum = toEuros(sum)
  }
  return document.toString()
}
