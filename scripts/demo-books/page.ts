import {
  definitionList,
  fiatOfMinorUnits,
  form,
  html,
  LIVE_SCRIPTS,
  livePart,
  notice,
  page,
  statusTag,
  submit,
  table,
  type Html,
} from '@causeway/screens/design'
import type { Counts } from './buyers.ts'
import type { Disturbance } from './disturbances.ts'
import type { Observed } from './observer.ts'

export type BooksPage = Readonly<{
  observed: Observed
  payments: Counts
  /** Disturbances, newest first. */
  story: readonly Readonly<{ at: string; text: string }>[]
  /** Null while the demo runs; then the lines that the rebuild printed. */
  outcome: readonly string[] | null
}>

const NUMBER = new Intl.NumberFormat('en')
const number = (value: number | bigint): string => NUMBER.format(value)

const trialBalance = ({ books }: Observed): Html =>
  table({
    caption: 'Trial balance in the smallest part of each unit, read from the database',
    columns: [
      { heading: 'Unit', cell: ({ unit }) => unit },
      { heading: 'Transfers', cell: ({ transfers }) => number(BigInt(transfers)), isNumber: true },
      { heading: 'Debits', cell: ({ debits }) => number(BigInt(debits)), isNumber: true },
      { heading: 'Credits', cell: ({ credits }) => number(BigInt(credits)), isNumber: true },
      {
        heading: 'Difference',
        cell: ({ debits, credits }) => {
          const difference = BigInt(debits) - BigInt(credits)
          return statusTag(difference === 0n ? 'good' : 'bad', String(difference))
        },
        isNumber: true,
      },
    ],
    rows: books?.units ?? [],
    empty: 'Nothing is posted yet.',
  })

type Amounts = Observed['wallets'][number]['wallets']
const amountOf = (amount: string | number, currency: string | undefined): string =>
  currency === undefined ? String(amount) : fiatOfMinorUnits(Number(amount), currency)

const balances = ({ wallets }: Observed): Html =>
  table({
    caption: 'Balances of the merchants, read through the API',
    columns: [
      { heading: 'Merchant', cell: ({ shop }) => shop },
      { heading: 'Unit', cell: ({ wallet }) => wallet.unit },
      { heading: 'Pending', cell: ({ wallet }) => amountOf(wallet.pending, wallet.currency), isNumber: true },
      {
        heading: 'Available',
        cell: ({ wallet }) => amountOf(wallet.available, wallet.currency),
        isNumber: true,
      },
    ],
    rows: wallets.flatMap(({ shop, wallets: ofShop }) =>
      (ofShop ?? ([] satisfies Amounts)).map((wallet) => ({ shop, wallet })),
    ),
    empty: 'No balance was read yet.',
  })

const figures = ({ observed, payments }: BooksPage): Html => {
  const { books } = observed
  const waiting = books === null ? 0 : books.facts - books.posted
  return definitionList([
    { term: 'Payments each second', value: observed.perSecond.toFixed(0) },
    { term: 'Payments made', value: number(payments.made) },
    { term: 'Under way', value: number(payments.underWay) },
    { term: 'Payments that failed', value: number(payments.failed) },
    { term: 'Refunds and disputes', value: number(payments.reversed) },
    { term: 'Refunds and disputes that failed', value: number(payments.failedReversals) },
    { term: 'Facts', value: number(books?.facts ?? 0) },
    {
      term: 'Facts that wait for the ledger',
      value: statusTag(waiting === 0 ? 'good' : 'warning', number(waiting)),
    },
    { term: 'Most facts that waited at a time', value: number(observed.mostWaiting) },
    { term: 'Facts that the ledger refused', value: number(books?.parked ?? 0) },
    { term: 'Readings with a difference', value: `${observed.unbalanced} of ${observed.readings}` },
  ])
}

const outcomeOf = (outcome: BooksPage['outcome']): Html | false =>
  outcome !== null && notice('good', 'The demo has ended', outcome.join(' '))

/** The page of the demo: figures that update twice a second, and a button for each disturbance. */
export const booksPage = (shown: BooksPage, disturbances: Readonly<Record<string, Disturbance>>): string => {
  const { observed, story, outcome } = shown
  return page({
    title: 'The books, live',
    brand: 'Causeway demo: no money moves here',
    scripts: LIVE_SCRIPTS,
    refreshSeconds: 2,
    main: html`<h1>The books, live</h1>
      ${
        outcome === null &&
        html`<div class="actions">
          ${Object.entries(disturbances).map(([name, { text }]) =>
            form({ action: `/disturbances/${name}` }, submit(text, 'quiet')),
          )}
          ${form({ action: '/end' }, submit('End, rebuild the books and compare'))}
        </div>`
      }
      ${livePart(
        { id: 'books', isUnderWay: outcome === null, every: '500ms', mostLooks: Number.MAX_SAFE_INTEGER },
        html`${outcomeOf(outcome)}
          ${!observed.isReadable && notice('warning', 'PostgreSQL does not answer', 'These are the last figures.')}
          ${trialBalance(observed)} ${figures(shown)} ${balances(observed)}
          <h2>What happened</h2>
          ${
            story.length === 0
              ? html`<p>Nothing was disturbed yet.</p>`
              : html`<ul>
                  ${story.map(({ at, text }) => html`<li>${at} ${text}</li>`)}
                </ul>`
          }`,
      )}`,
  }).toString()
}
