import type { LedgerDifference, LedgerException } from '@causeway/contracts'
import { html, type Html } from '../../design/index.ts'
import { cardOrderPath, cryptoOrderPath } from '../work/paths.ts'
import { idLink } from '../work/words.ts'

export const BOOKS_PATH = '/console/books'
export const ACCOUNTS_PATH = `${BOOKS_PATH}/accounts`
export const ADJUSTMENTS_PATH = `${BOOKS_PATH}/adjustments`
export const PRICE_PLANS_PATH = `${BOOKS_PATH}/price-plans`
export const DIFFERENCES_PATH = `${BOOKS_PATH}/differences`
export const differencePath = (differenceId: string): string => `${DIFFERENCES_PATH}/${differenceId}`
export const SETTLEMENT_REPORTS_PATH = `${BOOKS_PATH}/settlement-reports`
export const TREASURY_PATH = `${BOOKS_PATH}/treasury`
export const WRITE_OFFS_PATH = `${BOOKS_PATH}/write-offs`
export const accountPath = (accountId: string): string => `${ACCOUNTS_PATH}/${accountId}`
export const writeOffPath = (accountId: string): string => `${accountPath(accountId)}/write-off`
export const journalPath = (journalId: string): string => `${BOOKS_PATH}/journal/${journalId}`

/** Links to the order of a posting; empty if it has none. */
export const orderOf = ({
  order_id: orderId,
  order_key: orderKey,
}: Readonly<{ order_id: string | null; order_key: string | null }>): Html | string => {
  if (orderKey !== null) return html`card order ${idLink(cardOrderPath(orderKey), orderKey)}`
  return orderId === null ? '' : idLink(cryptoOrderPath(orderId), orderId)
}

/** Titles of exceptions, and what to do about each. */
export const EXCEPTION_WORDS: Readonly<
  Record<LedgerException['kind'], readonly [title: string, advice: string]>
> = {
  negative_balance: [
    'Negative balance',
    'The owner owes it. Later payments cover it; write off what they will not cover.',
  ],
  estimated_dispute: [
    'Estimated dispute',
    'The processor has not stated the amount yet. Compare it with the settlement report.',
  ],
  overdue: ['Overdue release', 'The ledger should have posted it a minute ago. Check that the ledger runs.'],
  fact_absent: ['Fact absent', 'The books posted a fact that its service no longer has.'],
  fact_differs: ['Fact differs', 'The books and the service have different content.'],
  fact_refused: ['Fact refused', 'The books cannot post it. The log of the ledger has the reason.'],
  not_compared: ['Not compared', 'The facts of this service could not be compared. Check that it runs.'],
}

/** Titles of differences, and what to do about each. */
export const DIFFERENCE_WORDS: Readonly<
  Record<LedgerDifference['kind'], readonly [title: string, advice: string]>
> = {
  missing_here: ['Missing here', 'Find out what the processor settled. It ends if the books get the entry.'],
  missing_there: ['Missing there', 'Claim it from the processor. It ends if a later report has it.'],
  other_amount: ['Other amount', 'Compare the order with the processor’s page.'],
  other_currency: ['Other currency', 'Compare the currency of the order with the processor’s account.'],
  other_fee: ['Other fee', 'Compare it with the contract, or correct PROCESSOR_FEES.'],
  sum: ['Sum', 'The amounts of the report do not add up. Ask the processor.'],
}
