import { randomUUID } from 'node:crypto'
import { adjustments, formatMinorUnits, type LedgerAccount, type WriteOff } from '@causeway/contracts'
import {
  amountInUnit,
  html,
  pagination,
  submit,
  table,
  textArea,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, type FormState } from '../../form-state.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../frame.ts'
import { namedLink, readNames } from '../names.ts'
import { mayDo } from '../roles.ts'
import { BOOKS_PATH, journalPath, writeOffPath, WRITE_OFFS_PATH } from './words.ts'

/** Returns the owner of an account whose negative balance can be written off, as the request names it; null for another one. */
export const debtorOf = ({ owner_id: owner, balance }: LedgerAccount) => {
  if (owner === null || balance !== 'available') return null
  if (owner.startsWith('prt_')) return { partner_id: owner }
  return owner.startsWith('pcu_') ? { partner_customer_id: owner } : null
}

/** Returns what the owner of an account owes, as it is entered in a form; null if the balance is not below zero. */
const owedOn = ({ amount, unit }: LedgerAccount): string | null => {
  if (typeof amount === 'string') return amount.startsWith('-') ? amount.slice(1) : null
  return amount !== null && amount < 0 ? formatMinorUnits(-amount, unit) : null
}

/** Says how much can be written off, for the error of the amount. */
export const tooMuchAdvice = (account: LedgerAccount): string => {
  const owed = owedOn(account)
  return owed === null
    ? 'Nothing can be written off: the balance is not below zero.'
    : `Enter at most ${owed}: that is what the balance is below zero.`
}

/** Shows the form of a write-off if the owner of the account owes something. */
export const writeOffForm = (session: StaffSession, account: LedgerAccount, state: FormState): Html => {
  const owed = debtorOf(account) === null ? null : owedOn(account)
  const { entered, errors } = state
  if (owed === null || !mayDo(session, 'finance')) return formFaults(state)
  return html`<section class="sheet">
    <h2>Write off</h2>
    <p>
      The owner owes it, and later payments cover it automatically. Write off what they will not cover: it
      becomes a cost of the platform. A second person must confirm it.
    </p>
    ${formFaults(state)}
    ${consoleForm(
      session,
      writeOffPath(account.account_id),
      html`<input type="hidden" name="key" value="${entered.get('key') ?? randomUUID()}" />
        ${textField({
          name: 'amount',
          label: 'Amount',
          hint: `In ${account.unit}; at most what the balance is below zero`,
          value: entered.get('amount') ?? owed,
          error: errors['amount'],
          isRequired: true,
        })}
        ${textArea({
          name: 'reason',
          label: 'Reason',
          hint: 'At most 500 characters. The audit log keeps it; do not enter personal data.',
          value: entered.get('reason') ?? '',
          error: errors['reason'],
          isRequired: true,
        })}
        <p class="actions">${submit('Write off')}</p>`,
    )}
  </section>`
}

const ownerOf = ({ partner_customer_id: relationship, partner_id: partner }: WriteOff): string =>
  relationship ?? partner ?? ''

/** Lists what was written off. */
export const listWriteOffs = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(adjustments.listWriteOffs, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { write_offs: rows, next_cursor: next } = reply.value
  const names = await readNames(request, rows.map(ownerOf))
  return pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: 'Write-offs',
      main: html`<h1>Write-offs</h1>
        <p>
          Negative balances that the platform bears. To write one off, open the owner’s account under
          Accounts.
        </p>
        ${table({
          caption: 'Write-offs, newest first',
          columns: [
            {
              heading: 'Written off',
              cell: ({ journal_id: id, created_at: at }) =>
                html`<a href="${journalPath(id)}">${time(at)}</a>`,
            },
            { heading: 'Owner', cell: (row) => namedLink(ownerOf(row), names) },
            { heading: 'Amount', cell: ({ amount, unit }) => amountInUnit(amount, unit), isNumber: true },
            { heading: 'Reason', cell: ({ reason }) => reason },
          ],
          rows,
          empty: 'Nothing was written off.',
        })}
        ${pagination(pageLinks(WRITE_OFFS_PATH, request, next))}`,
    }),
  )
}
