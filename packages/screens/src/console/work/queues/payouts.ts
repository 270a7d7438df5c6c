import { payouts, payoutTransfers, type ListedPayout as Payout } from '@causeway/contracts'
import {
  amountInUnit,
  dialogButton,
  EMPTY,
  html,
  navigation,
  pagination,
  submit,
  table,
  textField,
  time,
  type FieldErrors,
  type Html,
} from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formWith, titleOf } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo, type Refused } from '../../../replies.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import {
  BANK_STATEMENT_PATH,
  PAYMENT_FILES_PATH,
  paymentFilePath,
  PAYOUT_RUN_PATH,
  PAYOUTS_PATH,
} from '../paths.ts'
import { TREASURY_PATH } from '../../books/words.ts'
import { announceForm, readAnnouncement, withOwnNames } from './announcement.ts'
import { wordsOf } from '../words.ts'

type Status = Payout['status']
const CAPTIONS: Readonly<Record<Status, string>> = {
  upcoming: 'Upcoming payouts, in the order of their time',
  sent: 'Sent payouts',
  settled: 'Settled payouts',
  cancelled: 'Cancelled payouts',
  returned: 'Returned payouts',
}
const STATUSES = Object.keys(CAPTIONS) as Status[]

const amountOf = ({ amount_cents, amount = '', unit }: Payout): string =>
  amountInUnit(amount_cents ?? amount, unit)

/** Says who learns of a step. A payout to a partner has no event. */
const whoLearns = ({ customer_id: merchantId }: Payout, ofMerchant: string): string =>
  merchantId === null ? 'The partner sees it in its payouts.' : ofMerchant

const sentButton = (session: StaffSession, payout: Payout): Html =>
  dialogButton(
    {
      id: `sent-${payout.payout_id}`,
      text: 'Mark as sent…',
      title: 'Mark this payout as sent?',
      look: 'quiet',
    },
    html`<p>
        Confirm only after you have sent ${amountOf(payout)}.
        ${whoLearns(payout, 'The merchant is notified.')}
      </p>
      ${consoleForm(session, `${PAYOUTS_PATH}/${payout.payout_id}/sent`, submit('Mark as sent'))}`,
  )

/** States what is seen: the signer sends this amount to this address, or nothing. */
const sendButton = (session: StaffSession, payout: Payout): Html =>
  dialogButton(
    { id: `send-${payout.payout_id}`, text: 'Send…', title: 'Send this payout?', look: 'quiet' },
    html`<p>
        Compare the whole address with the customer's. The signer sends ${amountOf(payout)} to it once.
        Without a signer, send it from your wallet and mark it as sent.
      </p>
      <p><code>${payout.address ?? ''}</code></p>
      ${consoleForm(
        session,
        `${PAYOUTS_PATH}/${payout.payout_id}/send`,
        html`<input type="hidden" name="unit" value="${payout.unit}" />
          <input type="hidden" name="amount" value="${payout.amount ?? ''}" />
          <input type="hidden" name="address" value="${payout.address ?? ''}" />
          ${submit('Send the payout')}`,
      )}`,
  )

/** Renders how far the signer is with a payout. */
const transferPart = ({ transfer }: Payout): Html =>
  transfer === null
    ? EMPTY
    : html`<p>Transfer ${transfer.status}${transfer.problem === null ? '' : `: ${transfer.problem}`}</p>`

const cancelButton = (session: StaffSession, payout: Payout): Html =>
  dialogButton(
    { id: `cancel-${payout.payout_id}`, text: 'Cancel…', title: 'Cancel this payout?', look: 'quiet' },
    html`<p>${amountOf(payout)} will be available again, and the next payout pays it.</p>
      ${consoleForm(session, `${PAYOUTS_PATH}/${payout.payout_id}/cancel`, submit('Cancel the payout', 'danger'))}`,
  )

const returnedButton = (session: StaffSession, payout: Payout): Html =>
  dialogButton(
    {
      id: `returned-${payout.payout_id}`,
      text: 'Mark as returned…',
      title: 'Mark this payout as returned?',
      look: 'quiet',
    },
    html`<p>
        ${
          payout.address !== null && payout.status === 'settled'
            ? `The network never returns a confirmed transfer. Confirm only after the recipient sent all of ${amountOf(payout)} to the treasury's address.`
            : `Confirm only after ${amountOf(payout)} came back.`
        }
        ${whoLearns(payout, 'The merchant is notified and reads the reason.')}
      </p>
      ${consoleForm(
        session,
        `${PAYOUTS_PATH}/${payout.payout_id}/returned`,
        html`${textField({ id: `reason-${payout.payout_id}`, name: 'reason', label: 'Reason', isRequired: true })}
        ${submit('Mark as returned')}`,
      )}`,
  )

const actionsOf = (session: StaffSession, row: Payout): Html =>
  row.status !== 'upcoming'
    ? returnedButton(session, row)
    : html`${transferPart(row)}
      ${row.address !== null && row.transfer?.status !== 'requested' && sendButton(session, row)}
      ${row.transfer === null && sentButton(session, row)} ${cancelButton(session, row)}`

/** The statuses in which staff can do something. */
const ACTED_ON: readonly Status[] = ['upcoming', 'sent', 'settled']

type Shown = Readonly<{ rows: readonly Payout[]; status: Status; names: Names }>

const payoutTable = (session: StaffSession, { rows, status, names }: Shown): Html =>
  table({
    caption: CAPTIONS[status],
    columns: [
      { heading: 'Payout', cell: (row) => html`<code>${row.payout_id}</code>` },
      {
        heading: 'Paid to',
        cell: ({ customer_id: merchantId, partner_id: partnerId = '' }) =>
          namedLink(merchantId ?? partnerId, names),
      },
      { heading: 'Amount', cell: (row) => amountOf(row), isNumber: true },
      { heading: 'Scheduled for', cell: (row) => time(row.scheduled_for) },
      ...(status === 'upcoming' || status === 'cancelled'
        ? []
        : [{ heading: 'Sent', cell: (row: Payout) => (row.sent_at === null ? '' : time(row.sent_at)) }]),
      ...(status === 'returned'
        ? [{ heading: 'Reason', cell: (row: Payout) => row.return_reason ?? '' }]
        : []),
      ...(ACTED_ON.includes(status) && mayDo(session, 'finance')
        ? [{ heading: 'Actions', cell: (row: Payout) => actionsOf(session, row) }]
        : []),
    ],
    rows,
    empty: `No ${status} payouts.`,
  })

const list = async (request: StaffRequest, state = formWith(request.query), code = 200): Promise<Answer> => {
  const { ask, session, query } = request
  const status = STATUSES.find((each) => each === query.get('status')) ?? 'upcoming'
  const reply = await ask(payouts.list, { query: { status, ...cursorOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const names = await readNames(
    request,
    reply.value.payouts.map((row) => row.customer_id ?? row.partner_id),
  )
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
        <p class="actions">
          ${mayDo(session, 'finance') && html`<a href="${PAYOUT_RUN_PATH}">Run payouts…</a>`}
          <a href="${PAYMENT_FILES_PATH}">Payment files</a>
          <a href="${BANK_STATEMENT_PATH}">Bank statement</a>
          <a href="${TREASURY_PATH}">Treasury</a>
        </p>
        ${navigation('Statuses of payouts', links)}
        ${payoutTable(session, { rows: reply.value.payouts, status, names })}
        ${pagination(pageLinks(PAYOUTS_PATH, request, reply.value.next_cursor))}
        ${mayDo(session, 'finance') && announceForm(session, state)}`,
    }),
    code,
  )
}

const announce = async (request: StaffRequest, now: Date): Promise<Answer> => {
  const { ask, form } = request
  const { recipient, terms, errors } = readAnnouncement(form, now)
  const refused = (faults: FieldErrors, status: number) =>
    list(request, { ...formWith(form), errors: faults }, status)
  if (Object.keys(errors).length > 0) return refused(errors, 400)
  const reply = recipient.startsWith('prt_')
    ? await ask(payouts.announceToPartner, { params: { partnerId: recipient }, body: terms })
    : await ask(payouts.announce, { body: { customer_id: recipient, ...terms } })
  if (reply.ok) return redirectTo(PAYOUTS_PATH)
  if (reply.code === 'resource_not_found')
    return refused({ recipient: 'No partner, and no merchant with a customer, has this id. Check it.' }, 404)
  if (reply.code === 'amount_exceeds_available') {
    const available = amountInUnit(Number(reply.details?.[0]?.['available']), terms.currency)
    return refused({ amount: `The partner has ${available} available. Enter at most that.` }, 409)
  }
  return answerRefusedForm(reply, form, (state, status) => list(request, withOwnNames(state), status))
}

/**
 * Shows the payment file of a payout that is in one, because its steps are taken there.
 * @param status of the payout afterwards: it is also shown after a second click, which is refused
 */
const afterStep = (reply: Readonly<{ ok: true }> | Refused, status: Status): Answer => {
  if (reply.ok) return redirectTo(`${PAYOUTS_PATH}?status=${status}`)
  if (reply.code !== 'invalid_state') return { kind: 'error', code: reply.code }
  const file = reply.details?.[0]?.['payment_file_id']
  return redirectTo(typeof file === 'string' ? paymentFilePath(file) : `${PAYOUTS_PATH}?status=${status}`)
}

const payoutIdOf = ({ params }: StaffRequest): string => params['payoutId'] ?? ''

const markSent = async (request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(payouts.markSent, { params: { payoutId: payoutIdOf(request) } })
  return reply.ok ? redirectTo(PAYOUTS_PATH) : afterStep(reply, 'sent')
}

const send = async (request: StaffRequest): Promise<Answer> => {
  const field = (name: string) => request.form.get(name) ?? ''
  const expected = { unit: field('unit'), amount: field('amount'), address: field('address') }
  const params = { payoutId: payoutIdOf(request) }
  const reply = await request.ask(payoutTransfers.send, { params, body: { expected } })
  if (reply.ok) return redirectTo(PAYOUTS_PATH)
  return reply.code === 'invalid_state' ? redirectTo(PAYOUTS_PATH) : { kind: 'error', code: reply.code }
}

const cancel = async (request: StaffRequest): Promise<Answer> =>
  afterStep(await request.ask(payouts.cancel, { params: { payoutId: payoutIdOf(request) } }), 'cancelled')

const markReturned = async (request: StaffRequest): Promise<Answer> => {
  const body = { reason: request.form.get('reason')?.trim() ?? '' }
  const params = { payoutId: payoutIdOf(request) }
  return afterStep(await request.ask(payouts.markReturned, { params, body }), 'returned')
}

const stepScreen = (step: string, answer: (request: StaffRequest) => Promise<Answer>): Screen =>
  sessionScreen('console', { method: 'POST', path: `${PAYOUTS_PATH}/:payoutId/${step}`, answer })

export const payoutScreens = (now: () => Date): readonly Screen[] => [
  sessionScreen('console', { method: 'GET', path: PAYOUTS_PATH, answer: (request) => list(request) }),
  sessionScreen('console', {
    method: 'POST',
    path: PAYOUTS_PATH,
    answer: (request) => announce(request, now()),
  }),
  stepScreen('sent', markSent),
  stepScreen('send', send),
  stepScreen('cancel', cancel),
  stepScreen('returned', markReturned),
]
