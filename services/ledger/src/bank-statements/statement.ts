import type { BankLine } from '@causeway/rails/bank'

/** A line as it is stored: without the other party, and with the payout that its reference names. */
export type ImportedLine = Omit<BankLine, 'counterparty'> & Readonly<{ payoutId: string | null }>

/** The payout that a reference in a bank's statement names (`pay-…`, as in its payment file); null for any other text. */
export const payoutOfReference = (reference: string | null): string | null => {
  const [, id] = /^pay-([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(reference?.trim().toLowerCase() ?? '') ?? []
  return id === undefined ? null : `pay_${id}`
}

export const importedLineOf = ({ counterparty: _counterparty, ...line }: BankLine): ImportedLine => ({
  ...line,
  payoutId: payoutOfReference(line.reference),
})
