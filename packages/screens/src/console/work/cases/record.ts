import type { CaseFile } from '@causeway/contracts'
import { definitionList, html, type Fact, type Html, type Part } from '../../../design/index.ts'
import { wordsOf } from '../words.ts'

const NOTHING = html`<span class="hint">not given</span>`

/** A value of the submission for people. */
const valueOf = (value: unknown): Part => {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

const factsOf = (group: object): Fact[] =>
  Object.entries(group).map(([field, value]) => ({ term: wordsOf(field), value: valueOf(value) }))

const part = (title: string, content: Html): Html =>
  html`<h3>${title}</h3>
    ${content}`

type People = CaseFile['directors']

/** Fields that were not given are left out: there are nine for each person. */
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

/** What one relationship has submitted: the groups in the order of the form. */
export const recordOf = (file: CaseFile): Html => html`
  ${part('Business', definitionList(factsOf(file.business)))}
  ${part('Registered address', definitionList(factsOf(file.registered_address)))}
  ${part('Contact', definitionList(factsOf(file.contact)))}
  ${part('Payments', definitionList(factsOf(file.commercial)))} ${peopleOf('Directors', file.directors)}
  ${peopleOf('Owners', file.ubos)}
  ${part(
    'Declarations',
    definitionList([
      { term: 'Owners', value: wordsOf(file.ubo_declaration) },
      ...factsOf(file.consent).map(({ term, value }) => ({ term: `Consent: ${term.toLowerCase()}`, value })),
    ]),
  )}
  ${Object.keys(file.additional_data).length > 0 && part('Further data', definitionList(factsOf(file.additional_data)))}
`
