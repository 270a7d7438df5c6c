import { differences, LEDGER_DIFFERENCE_STATUSES, type LedgerDifference } from '@causeway/contracts'
import {
  amountInUnit,
  dialogButton,
  html,
  navigation,
  pagination,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { minorUnitsAdvice, readMinorUnits } from '../../money-input.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consoleForm, consolePage, type StaffRequest } from '../frame.ts'
import { namedLink, readNames, type Names } from '../names.ts'
import { mayDo } from '../roles.ts'
import { wordsOf } from '../work/words.ts'
import {
  BOOKS_PATH,
  DIFFERENCE_WORDS,
  differencePath,
  DIFFERENCES_PATH,
  orderOf,
  SETTLEMENT_REPORTS_PATH,
} from './words.ts'

const amountOf = (amount: LedgerDifference['expected'], unit: string): string =>
  amount === null ? 'Nothing' : amountInUnit(amount, unit)

const DAY_SECONDS = 86_400
const ageOf = ({ age_seconds: age }: LedgerDifference): string => {
  const days = Math.floor(age / DAY_SECONDS)
  return `${days} ${days === 1 ? 'day' : 'days'}`
}

/** The dialog is open when the search for an owner returns to it, with what was entered. */
const closeButton = (
  { session, query }: StaffRequest,
  { difference_id: id, owner, unit }: LedgerDifference,
): Html => {
  const isOpen = query.get('difference') === id
  const field = (name: string, label: string, hint: string, initial = '', isRequired = false) => {
    const value = isOpen ? (query.get(name) ?? initial) : initial
    return textField({ name, id: `${name}-${id}`, label, hint, value, isRequired })
  }
  return dialogButton(
    { id: `close-${id}`, text: 'Close…', title: 'Close this difference?', look: 'quiet', isOpen },
    html`<p>
        Close a difference after you have examined it. What it keeps in suspense becomes a cost of the
        platform, except what you give to or take from an owner.
      </p>
      ${consoleForm(
        session,
        `${differencePath(id)}/close`,
        html`${field('reason', 'Reason', 'The audit log keeps it; do not enter personal data.', '', true)}
          ${field('amount', 'Adjustment', `In ${unit}, for example 12.50 or -12.50; empty for none`)}
          <input type="hidden" name="unit" value="${unit}" />
          ${field('owner', 'Owner', 'Whose balance is adjusted: pcu_… or a partner’s id', owner ?? '')}
          <input type="hidden" name="difference" value="${id}" />
          ${query.has('cursor') && html`<input type="hidden" name="cursor" value="${query.get('cursor') ?? ''}" />`}
          <p class="actions">
            ${submit('Close the difference')} ${findMerchantButton('difference', 'Find the owner by name…')}
          </p>`,
      )}`,
  )
}

type Shown = Readonly<{ rows: readonly LedgerDifference[]; names: Names; isOpen: boolean }>

const differenceTable = (request: StaffRequest, { rows, names, isOpen }: Shown): Html =>
  table({
    caption: 'Differences, oldest first',
    columns: [
      {
        heading: 'Difference',
        cell: ({ kind }) =>
          html`${DIFFERENCE_WORDS[kind][0]}<br /><span class="hint">${DIFFERENCE_WORDS[kind][1]}</span>`,
      },
      {
        heading: 'Report',
        cell: ({ source, line_id: line }) =>
          html`<code>${source}</code> ${line !== null && html`<code>${line}</code>`}`,
      },
      { heading: 'Order', cell: (row) => orderOf({ ...row, order_id: null }) },
      { heading: 'Owner', cell: ({ owner }) => (owner === null ? 'Platform' : namedLink(owner, names)) },
      { heading: 'In the books', cell: ({ expected, unit }) => amountOf(expected, unit), isNumber: true },
      { heading: 'In the report', cell: (row) => amountOf(row.found, row.found_unit), isNumber: true },
      { heading: 'Found', cell: (row) => html`${time(row.found_at)}, ${ageOf(row)}` },
      ...(isOpen ? [] : [{ heading: 'Reason', cell: (row: LedgerDifference) => row.reason ?? '' }]),
      ...(isOpen && mayDo(request.session, 'finance')
        ? [{ heading: 'Actions', cell: (row: LedgerDifference) => closeButton(request, row) }]
        : []),
    ],
    rows,
    empty: 'No differences in this state.',
  })

/** Lists the differences between the books and the outside (decisions §51). */
export const showDifferences = async (
  request: StaffRequest,
  state: FormState = formWith(),
  httpStatus = 200,
): Promise<Answer> => {
  const { ask, session, query } = request
  const status = LEDGER_DIFFERENCE_STATUSES.find((each) => each === query.get('status')) ?? 'open'
  const reply = await ask(differences.list, { query: { status, ...cursorOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { differences: rows } = reply.value
  const names = await readNames(
    request,
    rows.map(({ owner }) => owner),
  )
  const links = LEDGER_DIFFERENCE_STATUSES.map((each) => ({
    href: `${DIFFERENCES_PATH}?status=${each}`,
    text: wordsOf(each),
    isCurrent: each === status,
  }))
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: titleOf('Differences', state),
      main: html`<h1>Differences</h1>
        <p>
          What the <a href="${SETTLEMENT_REPORTS_PATH}">reports of card processors</a> and the books disagree
          about.
        </p>
        ${formFaults(state)} ${navigation('States of differences', links)}
        ${differenceTable(request, { rows, names, isOpen: status === 'open' })}
        ${pagination(pageLinks(DIFFERENCES_PATH, request, reply.value.next_cursor))}`,
    }),
    httpStatus,
  )
}

const RELATIONSHIP = /^pcu_/

/** Closes a difference, with an adjustment if an amount was entered. */
export const closeDifference = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form, params } = request
  const [owner, unit, entered, reason] = ['owner', 'unit', 'amount', 'reason'].map((name) =>
    (form.get(name) ?? '').trim(),
  ) as [string, string, string, string]
  const amount = unit.includes('/') || entered === '' ? entered : readMinorUnits(entered, unit)
  if (amount === null)
    return showDifferences(
      request,
      { ...formWith(form), problem: `Adjustment: ${minorUnitsAdvice(unit)}` },
      400,
    )
  const adjusted = {
    ...(RELATIONSHIP.test(owner) ? { partner_customer_id: owner } : { partner_id: owner }),
    ...{ unit, amount },
  }
  const reply = await ask(differences.close, {
    params: { differenceId: params['ledgerDifferenceId'] ?? '' },
    body: { reason, ...(entered !== '' && { adjustment: adjusted }) },
  })
  if (reply.ok) return redirectTo(DIFFERENCES_PATH)
  return answerRefusedForm(reply, form, (state, status) =>
    // The fields are in a dialog of one row: the error names them.
    showDifferences(
      request,
      {
        ...state,
        errors: {},
        problem:
          state.problem ??
          Object.entries(state.errors)
            .map(([field, error]) => `${wordsOf(field)}: ${error}`)
            .join(' '),
      },
      status,
    ),
  )
}
