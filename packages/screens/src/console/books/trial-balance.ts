import { ledgerBooks, type LedgerException, type UnitTrialBalance } from '@causeway/contracts'
import type { z } from 'zod'
import {
  amountInUnit,
  definitionList,
  emptyState,
  errorSummary,
  filterForm,
  html,
  linkButton,
  statusTag,
  submit,
  table,
  time,
  timeField,
  type FieldErrors,
  type Html,
} from '../../design/index.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { readUtcTime } from '../../time-input.ts'
import { consolePage, type StaffRequest } from '../frame.ts'
import { mayDo } from '../roles.ts'
import {
  ACCOUNTS_PATH,
  ADJUSTMENTS_PATH,
  BOOKS_PATH,
  DIFFERENCES_PATH,
  EXCEPTION_WORDS,
  orderOf,
  PRICE_PLANS_PATH,
  SETTLEMENT_REPORTS_PATH,
  TREASURY_PATH,
  WRITE_OFFS_PATH,
} from './words.ts'

type Balance = z.output<typeof UnitTrialBalance>

const exceptionTable = (rows: readonly LedgerException[]): Html =>
  table({
    caption: 'To look into, at most 100 of each kind',
    columns: [
      { heading: 'Kind', cell: ({ kind }) => EXCEPTION_WORDS[kind][0] },
      { heading: 'Account, fact or service', cell: ({ subject }) => html`<code>${subject}</code>` },
      {
        heading: 'Amount',
        cell: ({ amount, unit }) => (amount === null || unit === null ? '' : amountInUnit(amount, unit)),
        isNumber: true,
      },
      { heading: 'Order', cell: orderOf },
      { heading: 'Since', cell: ({ since }) => (since === null ? '' : time(since)) },
      {
        heading: 'What to do',
        cell: ({ kind }) => html`<span class="hint">${EXCEPTION_WORDS[kind][1]}</span>`,
      },
    ],
    rows,
    empty: 'Nothing to look into.',
  })

const isZero = (amount: number | string): boolean => !/[1-9]/.test(String(amount))

const unitSection = ({ unit, debits, credits, difference, accounts }: Balance): Html => {
  const inUnit = (amount: number | string) => amountInUnit(amount, unit)
  return html`<section class="sheet">
    <h2>${unit} ${isZero(difference) ? statusTag('good', 'Balanced') : statusTag('bad', 'Not balanced')}</h2>
    ${definitionList([
      { term: 'Debits', value: inUnit(debits) },
      { term: 'Credits', value: inUnit(credits) },
      { term: 'Difference', value: inUnit(difference) },
    ])}
    ${table({
      caption: `Accounts in ${unit}`,
      columns: [
        { heading: 'Account', cell: ({ account }) => html`<code>${account}</code>` },
        { heading: 'Class', cell: (account) => account.class },
        { heading: 'Balance', cell: ({ balance }) => inUnit(balance), isNumber: true },
      ],
      rows: accounts,
      empty: 'No account has a balance.',
    })}
  </section>`
}

const instantForm = (entered: string, errors: FieldErrors): Html =>
  filterForm(
    BOOKS_PATH,
    html`${timeField({
        name: 'at',
        label: 'At',
        hint: 'Date and time; empty for now',
        value: entered,
        error: errors['at'],
      })}
      <p class="actions">${submit('Show', 'quiet')}</p>`,
  )

/** Reads the instant of the balances. @returns undefined for none, null for a text that is no time */
const instantOf = (entered: string): string | undefined | null =>
  entered === '' ? undefined : readUtcTime(entered)

const balances = (units: readonly Balance[], asOf: string): Html =>
  html`<p>
      Balances at ${time(asOf)}. Accounts of relationships, partners and merchants are summed by balance.
    </p>
    ${units.length === 0 ? emptyState('The books have no entries yet.') : units.map(unitSection)}`

/** Shows the trial balance at an instant, and what needs attention now. */
export const showTrialBalance = async ({ ask, session, query }: StaffRequest): Promise<Answer> => {
  const entered = (query.get('at') ?? '').trim()
  const at = instantOf(entered)
  const errors: FieldErrors =
    at === null ? { at: 'Enter a date and time, for example 2026-11-28T10:00.' } : {}
  const [balance, exceptions] = await Promise.all([
    at === null ? null : ask(ledgerBooks.getTrialBalance, { query: at === undefined ? {} : { at } }),
    ask(ledgerBooks.listExceptions, {}),
  ])
  if (balance?.ok === false) return { kind: 'error', code: balance.code }
  if (!exceptions.ok) return { kind: 'error', code: exceptions.code }
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: at === null ? 'Error: Books' : 'Books',
      main: html`<h1>Books</h1>
        ${errorSummary(errors, 'Correct this error:')}
        <p class="actions">
          ${linkButton(ACCOUNTS_PATH, 'Accounts', 'quiet')}
          ${linkButton(DIFFERENCES_PATH, 'Differences', 'quiet')}
          ${linkButton(SETTLEMENT_REPORTS_PATH, 'Settlement reports', 'quiet')}
          ${linkButton(TREASURY_PATH, 'Treasury', 'quiet')}
          ${linkButton(WRITE_OFFS_PATH, 'Write-offs', 'quiet')}
          ${linkButton(PRICE_PLANS_PATH, 'Price plans', 'quiet')}
          ${mayDo(session, 'finance') && linkButton(ADJUSTMENTS_PATH, 'Adjust a balance', 'quiet')}
        </p>
        ${exceptionTable(exceptions.value.exceptions)} ${instantForm(entered, errors)}
        ${balance?.ok === true && balances(balance.value.units, balance.value.as_of)}`,
    }),
    at === null ? 400 : 200,
  )
}
