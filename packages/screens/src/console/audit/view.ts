import type { AuditEntry } from '@causeway/contracts'
import type { z } from 'zod'
import {
  definitionList,
  emptyState,
  filterForm,
  html,
  linkButton,
  pagination,
  selectField,
  statusTag,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { consolePage, type StaffSession } from '../frame.ts'
import { namesIn, type Names } from '../names.ts'
import { personOf } from '../work/words.ts'
import { ACT_OPTIONS, actOf } from './acts.ts'
import { changesOf } from './changes.ts'

export const AUDIT_PATH = '/console/audit'

type Entry = z.output<typeof AuditEntry>

export type AuditFilter = Readonly<{ actor: string; action: string; target: string; order: string }>

type AuditPage = Readonly<{
  session: StaffSession
  entries: readonly Entry[]
  names: Names
  filter: AuditFilter
  page: Readonly<{ first: string | null; next: string | null }>
}>

const isOutcome = (state: unknown): state is Readonly<{ outcome: string; code?: string }> =>
  typeof state === 'object' && state !== null && 'outcome' in state

/** Renders the outcome of an action. Reads are recorded without state. */
const outcomeTag = ({ after, before }: Entry): Html => {
  if (isOutcome(after) && after.outcome === 'refused') return statusTag('bad', `Refused: ${after.code ?? ''}`)
  if (isOutcome(after) && after.outcome === 'started') return statusTag('warning', 'Outcome not recorded')
  if (isOutcome(after) && after.outcome === 'held')
    return statusTag('warning', 'Requested: needs a second person')
  return after === null && before === null ? statusTag('neutral', 'Read') : statusTag('good', 'Done')
}

const shown = (value: string | null): Html => (value === null ? html`–` : html`<code>${value}</code>`)

const changesTable = (entry: Entry): Html | false => {
  if (isOutcome(entry.after)) return false
  const changes = changesOf(entry.before, entry.after)
  return (
    changes.length > 0 &&
    table({
      caption: `Changes: ${entry.entry_id}`,
      columns: [
        { heading: 'Field', cell: ({ path }) => path || 'value' },
        { heading: 'Before', cell: ({ before }) => shown(before) },
        { heading: 'After', cell: ({ after }) => shown(after) },
      ],
      rows: changes,
      empty: 'No changes.',
    })
  )
}

const entrySection = (entry: Entry, names: Names): Html =>
  html`<article class="sheet" aria-labelledby="${entry.entry_id}">
    <h2 id="${entry.entry_id}">${actOf(entry.action)} ${outcomeTag(entry)}</h2>
    ${definitionList([
      { term: 'Time', value: time(entry.at) },
      { term: 'Actor', value: personOf(entry.actor, entry.actor_name) },
      ...(entry.confirmed_by === undefined
        ? []
        : [{ term: 'Confirmed by', value: personOf(entry.confirmed_by, entry.confirmed_by_name) }]),
      {
        term: 'Target',
        value:
          entry.target === null ? '–' : html`${namesIn(entry.target, names)} <code>${entry.target}</code>`,
      },
      { term: 'Operation', value: html`<code>${entry.action}</code>` },
      { term: 'Request', value: html`<code>${entry.request_id}</code>` },
    ])}
    ${changesTable(entry)}
  </article>`

/** The acts to choose from. A link can also name the beginning of several operations. */
const actOptions = (action: string) => [
  { value: '', text: 'Any' },
  ...(action === '' || ACT_OPTIONS.some(({ value }) => value === action)
    ? []
    : [{ value: action, text: `Operations that begin with ${action}` }]),
  ...ACT_OPTIONS,
]

const filterFields = ({ actor, action, target, order }: AuditFilter): Html =>
  filterForm(
    AUDIT_PATH,
    html`${textField({ name: 'actor', label: 'Actor', value: actor, hint: 'A name, or stk_…, operator:…, oidc:…' })}
      ${selectField({ name: 'action', label: 'Action', value: action, options: actOptions(action) })}
      ${textField({ name: 'target', label: 'Target', value: target, hint: 'A complete id' })}
      ${selectField({
        name: 'order',
        label: 'Order',
        value: order,
        isRequired: true,
        options: [
          { value: 'newest', text: 'Newest first' },
          { value: 'oldest', text: 'Oldest first' },
        ],
      })}
      <p class="actions">${submit('Filter', 'quiet')} ${linkButton(AUDIT_PATH, 'Show all', 'quiet')}</p>`,
  )

/** Renders the audit log: staff actions with their changes. */
export const auditPage = ({ session, entries, names, filter, page }: AuditPage): Html =>
  consolePage({
    session,
    current: AUDIT_PATH,
    title: 'Audit log',
    main: html`<h1>Audit log</h1>
      ${filterFields(filter)}
      ${entries.length === 0 ? emptyState('No actions on this page.') : entries.map((entry) => entrySection(entry, names))}
      ${pagination(page)}`,
  })
