import { payoutWallets, type PayoutWalletStatus, type StaffPayoutWallet } from '@causeway/contracts'
import {
  dialogButton,
  html,
  navigation,
  pagination,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../../design/index.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf, redirectTo } from '../../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { namedLink, readNames } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { PAYOUT_WALLETS_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'

const CAPTIONS: Readonly<Record<PayoutWalletStatus, string>> = {
  waiting: 'Destinations that wait, oldest first',
  proof_required: 'Destinations that their owner must prove',
  active: 'Destinations that are paid',
  refused: 'Refused destinations',
}
const STATUSES = Object.keys(CAPTIONS) as PayoutWalletStatus[]

/** Names a destination: all of an address, because look-alikes imitate what shortened ones show. */
const nameOf = ({ address, masked }: StaffPayoutWallet): string => address ?? masked

const stepPath = ({ payout_wallet_id: id }: StaffPayoutWallet, step: 'confirm' | 'refuse'): string =>
  `${PAYOUT_WALLETS_PATH}/${id}/${step}`

const confirmButton = (session: StaffSession, wallet: StaffPayoutWallet): Html =>
  dialogButton(
    {
      id: `confirm-${wallet.payout_wallet_id}`,
      text: 'Confirm…',
      title: 'Is this the customer’s own destination?',
      look: 'quiet',
    },
    html`<p>
        Money goes to <code>${nameOf(wallet)}</code>. Confirm only after you have verified it with the
        customer, on a channel that you know.
      </p>
      ${consoleForm(session, stepPath(wallet, 'confirm'), submit('Confirm the destination'))}`,
  )

const refuseButton = (session: StaffSession, wallet: StaffPayoutWallet): Html =>
  dialogButton(
    {
      id: `refuse-${wallet.payout_wallet_id}`,
      text: 'Refuse…',
      title: 'Refuse this destination?',
      look: 'danger',
    },
    html`<p>Nothing is paid to <code>${nameOf(wallet)}</code> any more. You cannot undo this.</p>
      ${consoleForm(
        session,
        stepPath(wallet, 'refuse'),
        html`${textField({
            name: 'reason',
            id: `reason-${wallet.payout_wallet_id}`,
            label: 'Reason',
            hint: 'The partner reads it.',
            isRequired: true,
          })}
          <p class="actions">${submit('Refuse the destination', 'danger')}</p>`,
      )}`,
  )

const actionsOf = (session: StaffSession, wallet: StaffPayoutWallet): Html =>
  html`${wallet.status === 'waiting' && wallet.confirmed_at === null && confirmButton(session, wallet)}
  ${wallet.status !== 'refused' && refuseButton(session, wallet)}`

const vouchedOf = ({ confirmed_at: confirmed, proved_at: proved }: StaffPayoutWallet): Html => {
  if (confirmed !== null) return html`Confirmed ${time(confirmed)}`
  return proved === null ? html`Nobody` : html`Proved ${time(proved)}`
}

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const status = STATUSES.find((each) => each === query.get('status')) ?? 'waiting'
  const reply = await ask(payoutWallets.listByStaff, { query: { status, ...cursorOf(request) } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { payout_wallets: rows, next_cursor: next } = reply.value
  const names = await readNames(
    request,
    rows.map((row) => row.partner_customer_id),
  )
  const links = STATUSES.map((each) => ({
    href: `${PAYOUT_WALLETS_PATH}?status=${each}`,
    text: wordsOf(each),
    isCurrent: each === status,
  }))
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Payout destinations',
      main: html`<h1>Payout destinations</h1>
        <p>
          A destination is paid once its waiting time is over and somebody has vouched for it: staff, or its
          owner by a signature.
        </p>
        ${navigation('States of destinations', links)}
        ${table({
          caption: CAPTIONS[status],
          columns: [
            { heading: 'Destination', cell: (row) => html`<code>${nameOf(row)}</code>` },
            { heading: 'Unit', cell: (row) => row.unit },
            { heading: 'Customer', cell: (row) => namedLink(row.partner_customer_id, names) },
            { heading: 'Usable from', cell: (row) => time(row.usable_from) },
            { heading: 'Vouched for by', cell: vouchedOf },
            ...(mayDo(session, 'finance')
              ? [{ heading: 'Actions', cell: (row: StaffPayoutWallet) => actionsOf(session, row) }]
              : []),
          ],
          rows,
          empty: 'No destinations in this state.',
        })}
        ${pagination(pageLinks(PAYOUT_WALLETS_PATH, request, next))}`,
    }),
  )
}

const paramsOf = ({ params }: StaffRequest) => ({ payoutWalletId: params['payoutWalletId'] ?? '' })

const confirm = async (request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(payoutWallets.confirm, { params: paramsOf(request) })
  return reply.ok ? redirectTo(PAYOUT_WALLETS_PATH) : { kind: 'error', code: reply.code }
}

const refuse = async (request: StaffRequest): Promise<Answer> => {
  const reason = (request.form.get('reason') ?? '').trim()
  const reply = await request.ask(payoutWallets.refuse, { params: paramsOf(request), body: { reason } })
  return reply.ok ? redirectTo(`${PAYOUT_WALLETS_PATH}?status=refused`) : { kind: 'error', code: reply.code }
}

export const payoutWalletScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PAYOUT_WALLETS_PATH, answer: list }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PAYOUT_WALLETS_PATH}/:payoutWalletId/confirm`,
    answer: confirm,
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PAYOUT_WALLETS_PATH}/:payoutWalletId/refuse`,
    answer: refuse,
  }),
]
