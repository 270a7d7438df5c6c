import {
  adjustments,
  ledgerBooks,
  LedgerUnit,
  type AccountEntry,
  type LedgerAccount,
} from '@causeway/contracts'
import {
  amountInUnit,
  definitionList,
  errorSummary,
  filterForm,
  html,
  pagination,
  submit,
  table,
  textField,
  time,
  type FieldErrors,
  type Html,
} from '../../design/index.ts'
import { formWith, titleOf, type FormState } from '../../form-state.ts'
import { minorUnitsAdvice, readMinorUnits } from '../../money-input.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consolePage, type StaffRequest } from '../frame.ts'
import { namedLink, namesIn, readNames, type Names } from '../names.ts'
import { mayDo } from '../roles.ts'
import { wordsOf } from '../work/words.ts'
import { accountPath, ACCOUNTS_PATH, BOOKS_PATH, journalPath, orderOf } from './words.ts'
import { debtorOf, tooMuchAdvice, writeOffForm } from './write-offs.ts'

const balanceOf = ({ amount, unit }: LedgerAccount): string =>
  amount === null ? 'See the trial balance' : amountInUnit(amount, unit)

const accountTable = (rows: readonly LedgerAccount[], names: Names): Html =>
  table({
    caption: 'Accounts, oldest first',
    columns: [
      {
        heading: 'Account',
        cell: ({ account_id: id, account }) => html`<a href="${accountPath(id)}"><code>${account}</code></a>`,
      },
      { heading: 'Owner', cell: (row) => namesIn(row.owner_id ?? '', names) },
      { heading: 'Unit', cell: ({ unit }) => unit },
      { heading: 'Class', cell: (row) => row.class },
      { heading: 'Balance', cell: balanceOf, isNumber: true },
    ],
    rows,
    empty: 'No accounts match the filter.',
  })

const filters = (unit: string, owner: string, errors: FieldErrors): Html =>
  filterForm(
    ACCOUNTS_PATH,
    html`${textField({
        name: 'owner_id',
        label: 'Owner',
        hint: 'Id of a relationship (pcu_…), partner or merchant',
        value: owner,
      })}
      ${textField({
        name: 'unit',
        label: 'Unit',
        hint: 'EUR, or ETH/USDC',
        value: unit,
        error: errors['unit'],
      })}
      <p class="actions">
        ${submit('Filter', 'quiet')} ${findMerchantButton('accounts', 'Find the owner by name…')}
      </p>`,
  )

/** Lists the accounts of the books. */
export const listAccounts = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const [unit, owner] = ['unit', 'owner_id'].map((name) => (query.get(name) ?? '').trim()) as [string, string]
  const isUnit = unit === '' || LedgerUnit.safeParse(unit).success
  const errors: FieldErrors = isUnit
    ? {}
    : { unit: 'Enter a currency, for example EUR, or a network and its asset, for example ETH/USDC.' }
  const reply = await ask(ledgerBooks.listAccounts, {
    query: {
      ...(unit !== '' && isUnit && { unit }),
      ...(owner !== '' && { owner_id: owner }),
      ...cursorOf(request),
    },
  })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { accounts, next_cursor: next } = reply.value
  const names = await readNames(
    request,
    accounts.map((row) => row.owner_id),
  )
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: isUnit ? 'Accounts' : 'Error: Accounts',
      main: html`<h1>Accounts</h1>
        ${errorSummary(errors, 'Correct this error:')} ${filters(unit, owner, errors)}
        ${isUnit && html`${accountTable(accounts, names)} ${pagination(pageLinks(ACCOUNTS_PATH, request, next))}`}`,
    }),
    isUnit ? 200 : 400,
  )
}

const entryTable = ({ unit }: LedgerAccount, rows: readonly AccountEntry[]): Html =>
  table({
    caption: 'Entries, newest first',
    columns: [
      {
        heading: 'Recorded',
        cell: ({ journal_id: id, recorded_at: at }) => html`<a href="${journalPath(id)}">${time(at)}</a>`,
      },
      { heading: 'Amount', cell: ({ amount }) => amountInUnit(amount, unit), isNumber: true },
      { heading: 'Other account', cell: ({ other_account: other }) => html`<code>${other}</code>` },
      { heading: 'Order', cell: orderOf },
    ],
    rows,
    empty: 'No entries on this page.',
  })

const readAccount = (request: StaffRequest) =>
  request.ask(ledgerBooks.listAccountEntries, {
    params: { accountId: request.params['accountId'] ?? '' },
    query: cursorOf(request),
  })

/** Shows an account with its entries, and the form of a write-off if its owner owes something. */
export const showAccount = async (
  request: StaffRequest,
  state: FormState = formWith(),
  status = 200,
): Promise<Answer> => {
  const { session } = request
  const reply = await readAccount(request)
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { account, entries, next_cursor: next } = reply.value
  const ofOwner =
    account.owner_id === null || account.balance === null
      ? []
      : [
          { term: 'Owner', value: namedLink(account.owner_id, await readNames(request, account.owner_id)) },
          { term: 'Part', value: wordsOf(account.balance) },
        ]
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: titleOf(`Account ${account.account}`, state),
      main: html`<h1>Account <code>${account.account}</code></h1>
        ${definitionList([
          { term: 'Unit', value: account.unit },
          { term: 'Class', value: account.class },
          ...ofOwner,
          { term: 'Balance', value: balanceOf(account) },
        ])}
        ${writeOffForm(session, account, state)} ${entryTable(account, entries)}
        ${pagination(pageLinks(accountPath(account.account_id), request, next))}`,
    }),
    status,
  )
}

/** Writes off an amount of the negative balance of an account, once a second person confirms it. */
export const writeOff = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form, session } = request
  if (!mayDo(session, 'finance')) return { kind: 'error', code: 'insufficient_scope' }
  const read = await readAccount(request)
  if (!read.ok) return { kind: 'error', code: read.code }
  const { account } = read.value
  const { unit } = account
  const debtor = debtorOf(account)
  if (debtor === null) return { kind: 'error', code: 'resource_not_found' }
  const entered = (form.get('amount') ?? '').trim()
  const refusedAmount = (advice: string) =>
    showAccount(request, { ...formWith(form), errors: { amount: advice } }, 400)
  const amount = unit.includes('/') ? entered : readMinorUnits(entered, unit)
  if (amount === null) return refusedAmount(minorUnitsAdvice(unit))
  const key = form.get('key')
  const reply = await ask(adjustments.writeOff, {
    body: { ...debtor, unit, amount, reason: (form.get('reason') ?? '').trim() },
    ...(key !== null && { idempotencyKey: key }),
  })
  if (reply.ok) return redirectTo(journalPath(reply.value.write_off.journal_id))
  if (reply.code === 'invalid_request' && reply.details?.some(({ reason }) => reason === 'too_big') === true)
    return refusedAmount(tooMuchAdvice(account))
  return answerRefusedForm(reply, form, (state, status) => showAccount(request, state, status))
}
