import { copyable, dialogButton, linkButton, submit } from './button.ts'
import { codeBlock } from './code-block.ts'
import { definitionList, fiat, fiatOfMinorUnits, time, timeLine } from './facts.ts'
import {
  checkbox,
  checkboxes,
  errorSummary,
  filterForm,
  form,
  selectField,
  textArea,
  textField,
  timeField,
} from './form.ts'
import { html, type Html } from './html.ts'
import { emptyState, notice, statusTag } from './notice.ts'
import { page } from './page.ts'
import { pagination, table } from './table.ts'

const AT = '2026-11-23T07:43:00.000Z'

const section = (id: string, title: string, content: Html): Html =>
  html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`

const notices = html`
  ${notice('neutral', 'A notice', 'States a fact.')} ${notice('good', 'Saved', 'Confirms an action.')}
  ${notice('warning', 'Information is missing', 'Says what to do.')}
  <p>
    ${statusTag('neutral', 'Waiting')} ${statusTag('good', 'Paid')} ${statusTag('warning', 'Underpaid')}
    ${statusTag('bad', 'Rejected')}
  </p>
`

const ROWS = [
  { name: 'Order one', status: 'Paid', amountCents: 129_950 },
  { name: 'Order two', status: 'Waiting', amountCents: 5_000 },
]

const tables = html`
  ${filterForm(
    '#tables',
    html`${textField({ name: 'search', label: 'Order number' })}
      <p class="actions">${submit('Filter', 'quiet')}</p>`,
  )}
  ${table({
    caption: 'Orders',
    columns: [
      { heading: 'Order', cell: (row) => html`<a href="#tables">${row.name}</a>` },
      { heading: 'Status', cell: (row) => statusTag(row.status === 'Paid' ? 'good' : 'neutral', row.status) },
      { heading: 'Amount', cell: (row) => fiatOfMinorUnits(row.amountCents, 'EUR'), isNumber: true },
    ],
    rows: ROWS,
    empty: 'No orders yet.',
  })}
  ${pagination({ first: null, next: '#tables' })}
  ${emptyState('No orders yet. Orders appear here once a payer creates one.')}
`

const ERRORS = { website: 'Enter an address that begins with https://.' }

const forms = form(
  { action: '#forms' },
  html`
    ${errorSummary(ERRORS)}
    ${textField({ name: 'company', label: 'Company', hint: 'As registered', value: 'Söhne & Co', isRequired: true })}
    ${textField({ name: 'website', label: 'Website', value: 'example', error: ERRORS.website, type: 'url' })}
    ${selectField({
      name: 'country',
      label: 'Country',
      value: 'DE',
      isRequired: true,
      options: [
        { value: 'DE', text: 'Germany' },
        { value: 'FR', text: 'France' },
      ],
    })}
    ${timeField({ name: 'from', label: 'From', hint: 'Empty: now', value: AT })}
    ${textArea({ name: 'note', label: 'Note', hint: 'Visible only to the team' })}
    ${checkboxes({
      name: 'events',
      label: 'Events',
      hint: 'Select none to receive all',
      options: [
        { value: 'paid', text: 'Order paid' },
        { value: 'expired', text: 'Order expired' },
      ],
      values: ['paid'],
    })}
    ${checkbox({ name: 'agreed', label: 'I have read the agreement', hint: 'Version 3', isRequired: true })}
    <p class="actions">${submit('Save')} ${linkButton('#forms', 'Back', 'quiet')}</p>
  `,
)

const actions = html`
  <p class="actions">${submit('Primary')} ${submit('Quiet', 'quiet')} ${submit('Delete', 'danger')}</p>
  ${dialogButton(
    { id: 'confirm-reject', text: 'Reject…', title: 'Reject this case?', look: 'danger' },
    html`<p>The merchant sees the reason.</p>
      ${form({ action: '#actions' }, submit('Reject', 'danger'))}`,
  )}
  <p>${copyable('bc1qexampleexampleexampleexampleexample', 'Copy the address')}</p>
`

const facts = html`
  ${codeBlock('An event', JSON.stringify({ event_type: 'order.paid', amount: '1299.50' }, null, 2))}
  ${definitionList([
    { term: 'Price', value: fiat('1299.50', 'EUR') },
    { term: 'Created', value: time(AT) },
    { term: 'Escaped', value: '<script>alert(1)</script>' },
  ])}
  ${timeLine('What happened', [
    { at: AT, title: 'Order created' },
    { at: AT, title: 'Paid', text: '0.0005 BTC arrived.', tone: 'good' },
  ])}
`

/** Renders one page with every component in every variant, for development. */
export const showcase = (): Html =>
  page({
    title: 'Design · Causeway',
    links: [
      { href: '/design', text: 'Design', isCurrent: true },
      { href: '#tables', text: 'To review', count: 3 },
    ],
    main: html`<h1>Design</h1>
      ${section('notices', 'Notices and states', notices)} ${section('tables', 'Tables and lists', tables)}
      ${section('forms', 'Forms', forms)} ${section('actions', 'Buttons, dialog, copy', actions)}
      ${section('facts', 'Facts and time', facts)}`,
  })
