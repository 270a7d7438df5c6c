import type { CaseFile, FieldWarning } from '@causeway/contracts'
import {
  definitionList,
  EMPTY,
  html,
  notice,
  type Fact,
  type Html,
  type Part,
} from '../../../design/index.ts'
import { wordsOf } from '../words.ts'

export const NOTHING = html`<span class="hint">not given</span>`

/** Formats a value of the submission. */
export const valueOf = (value: unknown): Part => {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

const factsOf = (group: object): Fact[] =>
  Object.entries(group).map(([field, value]) => ({ term: wordsOf(field), value: valueOf(value) }))

/** Titles of the groups of fields, by the first segment of a field's path. */
const TITLES = {
  business: 'Business',
  registered_address: 'Registered address',
  contact: 'Contact',
  commercial: 'Payments',
  directors: 'Directors',
  ubos: 'Owners',
  additional_data: 'Additional data',
} as const

/** Returns a field's label: `business.legal_name` becomes "Business: Legal name". */
export const labelOf = (field: string): string => {
  const [group = '', ...rest] = field.split('.')
  const name = wordsOf(rest.join('.'))
  if (field === 'ubo_declaration') return TITLES.ubos
  if (group === 'consent') return `Consent: ${name.toLowerCase()}`
  return group in TITLES ? `${TITLES[group as keyof typeof TITLES]}: ${name}` : wordsOf(field)
}

const part = (title: string, content: Html): Html =>
  html`<h3>${title}</h3>
    ${content}`

const WARNINGS: Readonly<Record<FieldWarning['reason'], string>> = {
  in_the_future: 'This date is in the future.',
  under_18: 'This person is under 18.',
  over_100: 'This person is over 100.',
  before_1600: 'No company is that old. Check the year.',
  not_a_phone_number: 'This is not a phone number.',
  above_100_percent: 'Together they own more than 100 percent.',
}

const PERSON_FIELD = /^(directors|ubos)\.(\d+)\.(\w+)$/
const ONE = { directors: 'Director', ubos: 'Owner' } as const

/** Returns a warning's label: `directors.0.phone` becomes "Director 1: Phone". */
const warningLabel = (field: string): string => {
  const [, list, index, name] = PERSON_FIELD.exec(field) ?? []
  if (list === undefined || name === undefined) return field === 'ubos' ? TITLES.ubos : labelOf(field)
  return `${ONE[list as keyof typeof ONE]} ${Number(index) + 1}: ${wordsOf(name)}`
}

/** Lists the fields that cannot be right or need an explanation. */
export const warningsOf = ({ warnings = [] }: CaseFile): Html =>
  warnings.length === 0
    ? EMPTY
    : notice(
        'warning',
        'Check these values.',
        warnings.map(({ field, reason }) => html`${warningLabel(field)}: ${WARNINGS[reason]}<br />`),
      )

type People = CaseFile['directors']

/** Renders people without their empty fields, because each has nine fields. */
const peopleOf = (title: string, people: People): Html =>
  part(
    title,
    people.length === 0
      ? html`<p>${NOTHING}</p>`
      : html`${people.map(
          (person, index) =>
            html`<h4>${person.full_name ?? `Person ${index + 1}`}</h4>
              ${definitionList(factsOf(person).filter(({ value }) => value !== NOTHING))}`,
        )}`,
  )

/** Renders the submission of a relationship, in the order of the form. */
export const recordOf = (file: CaseFile): Html => html`
  ${part(TITLES.business, definitionList(factsOf(file.business)))}
  ${part(TITLES.registered_address, definitionList(factsOf(file.registered_address)))}
  ${part(TITLES.contact, definitionList(factsOf(file.contact)))}
  ${part(TITLES.commercial, definitionList(factsOf(file.commercial)))}
  ${peopleOf(TITLES.directors, file.directors)} ${peopleOf(TITLES.ubos, file.ubos)}
  ${part(
    'Declarations',
    definitionList([
      { term: 'Owners', value: wordsOf(file.ubo_declaration) },
      ...factsOf(file.consent).map(({ term, value }) => ({ term: `Consent: ${term.toLowerCase()}`, value })),
    ]),
  )}
  ${Object.keys(file.additional_data).length > 0 && part(TITLES.additional_data, definitionList(factsOf(file.additional_data)))}
`
