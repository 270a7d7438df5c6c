import { randomUUID } from 'node:crypto'
import { payoutRuns, type SkipReason } from '@causeway/contracts'
import type { z } from 'zod'
import {
  amountInUnit,
  definitionList,
  errorSummary,
  form as postForm,
  html,
  notice,
  pagination,
  queryForm,
  submit,
  table,
  textField,
  time,
  timeField,
  type Html,
} from '../../../design/index.ts'
import { formWith, titleOf, type FormState } from '../../../form-state.ts'
import { pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { FORM_TOKEN } from '../../../session.ts'
import { readUtcTime } from '../../../time-input.ts'
import { findMerchantButton } from '../../find-merchant/button.ts'
import { consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { PAYOUT_RUN_PATH, PAYOUTS_PATH } from '../paths.ts'

type Run = z.output<(typeof payoutRuns)['run']['reply']>
type Body = z.input<(typeof payoutRuns)['run']['body']>

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  below_minimum: 'Less than the minimum of its schedule is available up to the cut-off',
  no_destination: 'The destination of its schedule is deleted or not active',
  negative: 'The balance is negative up to the cut-off; the next payout carries it forward',
  on_hold: 'The relationship is revoked or not confirmed, or payouts of the merchant are suspended',
  manual: 'It has no schedule. To pay it, enter its id above',
}

const textOf = (entered: URLSearchParams, name: string): string => (entered.get(name) ?? '').trim()

/** Reads the cut-off: a form's in UTC without a zone, or that of a preview. Null: not a time. Undefined: now. */
const readCutOff = (entered: string): string | null | undefined =>
  entered === '' ? undefined : readUtcTime(entered)

/** Reads what to run from a form or a preview's address. Null: its cut-off is not a time. */
const readRun = (entered: URLSearchParams): Body | null => {
  const [unit, partnerCustomerId, cursor] = ['unit', 'partner_customer_id', 'cursor'].map((name) =>
    textOf(entered, name),
  ) as [string, string, string]
  const cutOff = readCutOff(textOf(entered, 'cut_off'))
  if (cutOff === null) return null
  return {
    // The operation refuses a text that is no currency, and names the field.
    ...(unit !== '' && { unit: unit.toUpperCase() }),
    ...(partnerCustomerId !== '' && { partner_customer_id: partnerCustomerId }),
    ...(cutOff !== undefined && { cut_off: cutOff }),
    ...(cursor !== '' && { cursor }),
  }
}

/** Characters of a time up to its minute. */
const MINUTE_LENGTH = 16

const choiceForm = ({ entered, errors }: FormState): Html => {
  const field = (name: string, label: string, hint: string) =>
    textField({ name, label, hint, error: errors[name], value: entered.get(name) ?? '' })
  return queryForm(
    PAYOUT_RUN_PATH,
    html`<input type="hidden" name="preview" value="yes" />
      ${field('unit', 'Currency', 'Three letters, for example EUR. Empty: every currency')}
      ${field(
        'partner_customer_id',
        'Relationship',
        'Id that begins with pcu_. It is paid although its schedule is manual. Empty: every relationship with a schedule',
      )}
      ${timeField({
        name: 'cut_off',
        label: 'Cut-off',
        hint: 'Only what was recorded before is paid. Empty: now',
        error: errors['cut_off'],
        value: (entered.get('cut_off') ?? '').slice(0, MINUTE_LENGTH),
      })}
      <p class="actions">
        ${submit('Preview', 'quiet')} ${findMerchantButton('payout-run', 'Find the relationship by name…')}
      </p>`,
  )
}
const totalsOf = ({ payouts }: Run): string[] => {
  const sums = new Map<string, number>()
  // A run pays currencies alone.
  for (const { unit, amount_cents: amount = 0 } of payouts) sums.set(unit, (sums.get(unit) ?? 0) + amount)
  return [...sums].map(([unit, amount]) => amountInUnit(amount, unit))
}

const payoutTable = ({ payouts }: Run, names: Names): Html =>
  table({
    caption: 'Payouts that the run would make',
    columns: [
      {
        heading: 'Relationship',
        cell: ({ partner_customer_id: id }) => namedLink(id, names),
      },
      {
        heading: 'Amount',
        cell: ({ amount_cents: amount = 0, unit }) => amountInUnit(amount, unit),
        isNumber: true,
      },
      { heading: 'Entries', cell: (row) => row.summary.entry_count, isNumber: true },
      { heading: 'Destination', cell: ({ destination }) => destination ?? 'Not known: paid elsewhere' },
    ],
    rows: payouts,
    empty: 'The run would pay nothing.',
  })

const skippedTable = ({ skipped }: Run, names: Names): Html =>
  table({
    caption: 'Balances that the run would not pay',
    columns: [
      {
        heading: 'Relationship',
        cell: ({ partner_customer_id: id }) => namedLink(id, names),
      },
      { heading: 'Available', cell: ({ available, unit }) => amountInUnit(available, unit), isNumber: true },
      { heading: 'Why', cell: ({ reason }) => SKIPPED[reason] },
    ],
    rows: skipped,
    empty: 'No balance is left out.',
  })

/** Pays exactly what the preview shows: with its cut-off, and with a key, so that a form that is sent twice pays once. */
const runForm = ({ formToken }: StaffSession, body: Body, shown: Run): Html => {
  const { unit = '', partner_customer_id: partnerCustomerId = '', cursor = '' } = body
  const hidden = { unit, partner_customer_id: partnerCustomerId, cut_off: shown.cut_off, cursor }
  const count = shown.payouts.length
  return postForm(
    { action: PAYOUT_RUN_PATH, hidden: { [FORM_TOKEN]: formToken, ...hidden, key: randomUUID() } },
    html`<p class="actions">
      ${submit(count === 1 ? 'Make 1 payout' : `Make ${count} payouts`, 'danger')}
      <a href="${PAYOUTS_PATH}">Back without paying</a>
    </p>`,
  )
}

const previewOf = async (request: StaffRequest, body: Body, shown: Run): Promise<Html> => {
  const names = await readNames(
    request,
    [...shown.payouts, ...shown.skipped].map((row) => row.partner_customer_id),
  )
  const query = new URLSearchParams(request.query)
  query.set('cut_off', shown.cut_off)
  return html`<section aria-labelledby="preview">
    <h2 id="preview">Preview</h2>
    ${definitionList([
      { term: 'Cut-off', value: time(shown.cut_off) },
      { term: 'Payouts', value: shown.payouts.length },
      { term: 'Total', value: totalsOf(shown).join(', ') || 'Nothing' },
    ])}
    ${payoutTable(shown, names)} ${skippedTable(shown, names)}
    ${
      shown.next_cursor !== null &&
      notice('neutral', 'There are more balances.', 'Pay these first; the next ones are shown afterwards.')
    }
    ${shown.payouts.length > 0 && runForm(request.session, body, shown)}
    ${pagination(pageLinks(PAYOUT_RUN_PATH, { query }, shown.next_cursor))}
  </section>`
}

const runPage = (request: StaffRequest, state: FormState, preview: Html | null, status = 200): Answer =>
  pageOf(
    consolePage({
      session: request.session,
      current: '/console',
      title: titleOf('Run payouts', state),
      main: html`<h1>Run payouts</h1>
        <p>
          A run pays each relationship everything that is available up to the cut-off, to the destination of
          its schedule. Look at the preview first: it writes nothing.
        </p>
        ${errorSummary(state.errors, 'Nothing was paid. Correct these errors:')}
        ${state.problem !== null && notice('bad', 'Nothing was paid.', state.problem)} ${choiceForm(state)}
        ${preview}`,
    }),
    status,
  )

const NO_TIME = 'Enter a date and a time.'
const UNKNOWN = 'No relationship has this id. Check the id.'

const withError = (request: StaffRequest, state: FormState, name: string, error: string, status: number) =>
  runPage(request, { ...state, errors: { [name]: error } }, null, status)

/** Shows the form and, once it is filled in, what a run would do. */
const show = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query } = request
  if (!mayDo(session, 'finance')) return { kind: 'error', code: 'insufficient_scope' }
  const state = formWith(query)
  if (!query.has('preview')) return runPage(request, state, null)
  const body = readRun(query)
  if (body === null) return withError(request, state, 'cut_off', NO_TIME, 400)
  const reply = await ask(payoutRuns.run, { body: { ...body, dry_run: true } })
  if (reply.ok) return runPage(request, state, await previewOf(request, body, reply.value))
  if (reply.code === 'resource_not_found')
    return withError(request, state, 'partner_customer_id', UNKNOWN, 404)
  return answerRefusedForm(reply, query, (refused, status) => runPage(request, refused, null, status))
}

/** Runs payouts, then shows them, or the preview of the balances that are next. */
const run = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const body = readRun(form)
  const state = formWith(form)
  if (body === null) return withError(request, state, 'cut_off', NO_TIME, 400)
  const key = form.get('key')
  const reply = await ask(payoutRuns.run, { body, ...(key !== null && { idempotencyKey: key }) })
  if (!reply.ok && reply.code === 'resource_not_found')
    return withError(request, state, 'partner_customer_id', UNKNOWN, 404)
  if (!reply.ok)
    return answerRefusedForm(reply, form, (refused, status) => runPage(request, refused, null, status))
  const { next_cursor: cursor, cut_off: cutOff } = reply.value
  if (cursor === null) return redirectTo(PAYOUTS_PATH)
  const next = new URLSearchParams({ preview: 'yes', cut_off: cutOff, cursor })
  for (const name of ['unit', 'partner_customer_id'])
    if (textOf(form, name) !== '') next.set(name, textOf(form, name))
  return redirectTo(`${PAYOUT_RUN_PATH}?${next.toString()}`)
}

/** A run of payouts with its preview (decisions §49). */
export const payoutRunScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PAYOUT_RUN_PATH, answer: show }),
  sessionScreen('console', { method: 'POST', path: PAYOUT_RUN_PATH, answer: run }),
]
