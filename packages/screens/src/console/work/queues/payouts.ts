import { payouts, type Payout } from '@causeway/contracts'
import {
  dialogButton,
  fiatOfMinorUnits,
  html,
  navigation,
  pagination,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { mayDo } from '../../roles.ts'
import { PAYOUTS_PATH } from '../paths.ts'
import { idLink, wordsOf } from '../words.ts'

const STATUSES = ['upcoming', 'sent'] as const

const sentButton = (session: StaffSession, { payout_id: id, amount_cents, currency }: Payout): Html =>
  dialogButton(
    { id: `sent-${id}`, text: 'Mark as sent…', title: 'Mark this payout as sent?', look: 'quiet' },
    html`<p>
        Confirm only after you have sent ${fiatOfMinorUnits(amount_cents, currency)}. The merchant is
        notified.
      </p>
      ${consoleForm(session, `${PAYOUTS_PATH}/${id}/sent`, submit('Mark as sent'))}`,
  )

const payoutTable = (session: StaffSession, rows: readonly Payout[], status: Payout['status']): Html =>
  table({
    caption: status === 'sent' ? 'Sent payouts' : 'Upcoming payouts, in the order of their time',
    columns: [
      { heading: 'Payout', cell: (row) => html`<code>${row.payout_id}</code>` },
      {
        heading: 'Merchant',
        cell: (row) => idLink(`/console/merchants/${row.customer_id}`, row.customer_id),
      },
      { heading: 'Amount', cell: (row) => fiatOfMinorUnits(row.amount_cents, row.currency), isNumber: true },
      { heading: 'Scheduled for', cell: (row) => time(row.scheduled_for) },
      ...(status === 'sent'
        ? [{ heading: 'Sent', cell: (row: Payout) => (row.sent_at === null ? '' : time(row.sent_at)) }]
        : []),
      ...(status === 'upcoming' && mayDo(session, 'finance')
        ? [{ heading: 'Actions', cell: (row: Payout) => sentButton(session, row) }]
        : []),
    ],
    rows,
    empty: status === 'sent' ? 'No payouts sent yet.' : 'No upcoming payouts.',
  })

const announceForm = (session: StaffSession, state: FormState): Html => {
  const { entered, errors } = state
  const field = (name: string, label: string, hint: string) =>
    textField({
      name,
      label,
      hint,
      value: entered.get(name) ?? '',
      error: errors[name],
      isRequired: true,
      ...(name === 'amount_cents' ? { inputmode: 'numeric' as const } : {}),
    })
  return html`<section class="sheet" aria-labelledby="announce">
    <h2 id="announce">Announce a payout</h2>
    ${consoleForm(
      session,
      PAYOUTS_PATH,
      html`${formFaults(state)} ${field('customer_id', 'Merchant', 'The merchant id, which begins with cus_')}
        ${field('amount_cents', 'Amount', 'In minor units: 125000 is 1,250.00 EUR')}
        ${field('currency', 'Currency', 'Three letters, for example EUR')}
        ${field('scheduled_for', 'Scheduled for', 'A time in UTC, for example 2026-12-01T10:00:00Z')}
        <p class="actions">${submit('Announce')}</p>`,
    )}
  </section>`
}

const list = async (request: StaffRequest, state = formWith(), code = 200): Promise<Answer> => {
  const { ask, session, query } = request
  const status = query.get('status') === 'sent' ? 'sent' : 'upcoming'
  const reply = await ask(payouts.list, { query: { status, ...cursorOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const links = STATUSES.map((each) => ({
    href: `${PAYOUTS_PATH}?status=${each}`,
    text: wordsOf(each),
    isCurrent: each === status,
  }))
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: titleOf('Payouts', state),
      main: html`<h1>Payouts</h1>
        ${navigation('Statuses of payouts', links)} ${payoutTable(session, reply.value.payouts, status)}
        ${pagination(pageLinks(PAYOUTS_PATH, request, reply.value.next_cursor))}
        ${mayDo(session, 'finance') && announceForm(session, state)}`,
    }),
    code,
  )
}

const announce = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const body = {
    customer_id: form.get('customer_id')?.trim() ?? '',
    amount_cents: Number(form.get('amount_cents')),
    currency: (form.get('currency')?.trim().toUpperCase() ?? '') as 'EUR',
    scheduled_for: form.get('scheduled_for')?.trim() ?? '',
  }
  const reply = await ask(payouts.announce, { body })
  if (reply.ok) return redirectTo(PAYOUTS_PATH)
  if (reply.code !== 'resource_not_found')
    return answerRefusedForm(reply, form, (state, status) => list(request, state, status))
  const errors = { customer_id: 'No merchant with this id has a customer record. Check the id.' }
  return list(request, { ...formWith(form), errors }, 404)
}

const markSent = async (request: StaffRequest): Promise<Answer> => {
  const { ask, params } = request
  const reply = await ask(payouts.markSent, { params: { payoutId: params['payoutId'] ?? '' } })
  if (reply.ok) return redirectTo(PAYOUTS_PATH)
  // A second click: the payout was already marked as sent.
  return reply.code === 'invalid_state'
    ? redirectTo(`${PAYOUTS_PATH}?status=sent`)
    : { kind: 'error', code: reply.code }
}

export const payoutScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PAYOUTS_PATH, answer: (request) => list(request) }),
  sessionScreen('console', { method: 'POST', path: PAYOUTS_PATH, answer: announce }),
  sessionScreen('console', { method: 'POST', path: `${PAYOUTS_PATH}/:payoutId/sent`, answer: markSent }),
]
