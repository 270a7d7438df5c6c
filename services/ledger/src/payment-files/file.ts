import { MAX_AMOUNT_CENTS } from '@causeway/contracts'
import { writePaymentFile } from '@causeway/rails/bank'
import type { Account } from '../payout-wallets/account.ts'

/** Greatest amount of a payment in a file, as of the SEPA scheme. */
export const MAX_PAYMENT_CENTS = MAX_AMOUNT_CENTS

/** The platform's account, from which the bank pays. */
export type Debtor = Readonly<{ name: string; iban: string; bic?: string }>

/** The context to which a file's sealed content is bound. */
export const contentContext = (paymentFileId: string): string => `payment-file:${paymentFileId}`

/** An id as bank files carry it: `_` is not in their character set. */
export const bankIdOf = (id: string): string => id.replace('_', '-')

/** A payout with its amount in the books and the account that it goes to. */
export type Payment = Readonly<{
  payoutId: string
  amountCents: bigint
  account: Account
  reference: string | null
}>

/** A BIC of another country than the IBAN is left out: banks refuse such a pair, and find the bank by the IBAN. */
const bicOf = ({ iban, bic }: Account) =>
  bic !== null && bic.slice(4, 6) === iban.slice(0, 2) ? { bic } : {}

/** Writes the file of payouts (pain.001.001.09). The statement names each by its id. */
export const writeFileOf = (
  paymentFileId: string,
  { debtor, payments, now }: Readonly<{ debtor: Debtor; payments: readonly Payment[]; now: Date }>,
): string =>
  writePaymentFile({
    messageId: bankIdOf(paymentFileId),
    createdAt: now.toISOString(),
    executionDate: now.toISOString().slice(0, 10),
    debtor,
    payments: payments.map(({ payoutId, amountCents, account, reference }) => ({
      endToEndId: bankIdOf(payoutId),
      amountCents,
      iban: account.iban,
      name: account.holder_name,
      ...bicOf(account),
      ...(reference !== null && { reference }),
    })),
  })
