import { customers, type CustomerOfPartner } from '@causeway/contracts'
import type { z } from 'zod'
import { html, notice, submit, table, textField, type Column, type Html } from '../../design/index.ts'
import { pageOf, redirectTo } from '../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { consoleForm, consolePage, type StaffRequest } from '../frame.ts'
import { namedLink, readNames, type Names } from '../names.ts'
import { customerPath } from '../work/paths.ts'
import { idLink } from '../work/words.ts'
import { FIND, FIND_MERCHANT_PATH, type FindPlace } from './button.ts'
import { addressOf, carriedFields, PLACES, type Place } from './places.ts'

const MAX_LENGTH = 255
const ID = /^(cus|pcu)_\w+$/
/** The beginning of an id, which is no name. */
const LIKE_ID = /^(cus|pcu|prt)_/

type Found = Readonly<{
  rows: readonly CustomerOfPartner[]
  similar: readonly CustomerOfPartner[]
  next: string | null
}>
const NOTHING: Found = { rows: [], similar: [], next: null }

const searchBy = async (
  { ask }: StaffRequest,
  body: z.input<(typeof customers)['search']['body']>,
): Promise<Found | null> => {
  const reply = await ask(customers.search, { body })
  if (reply.ok) {
    const { customers: rows, similar = [], next_cursor: next } = reply.value
    return { rows, similar, next }
  }
  // A text that no such field can have finds nothing; a cursor of an earlier text starts again.
  return reply.code === 'invalid_request' || reply.code === 'invalid_cursor' ? NOTHING : null
}

/** Finds customers by e-mail address or merchant, or by the beginning of their name and by their partner's id. */
const find = async (request: StaffRequest, text: string, cursor: string | null): Promise<Found | null> => {
  if (text.includes('@')) return searchBy(request, { email: text })
  if (text.startsWith('cus_')) return searchBy(request, { customer_id: text })
  const byName = { name: text, ...(cursor !== null && { cursor }) }
  if (cursor !== null) return searchBy(request, byName)
  const [named, external] = await Promise.all([
    searchBy(request, byName),
    searchBy(request, { external_customer_id: text }),
  ])
  if (named === null || external === null) return null
  const rows = new Map([...external.rows, ...named.rows].map((row) => [row.partner_customer_id, row]))
  const similar = named.similar.filter((row) => !rows.has(row.partner_customer_id))
  return { rows: [...rows.values()], similar, next: named.next }
}

const nameOf = ({ customer }: CustomerOfPartner): string => customer.name ?? 'Not given'

const chooseButton = (place: Place, id: string, row: CustomerOfPartner): Html =>
  html`<button
    class="quiet"
    type="submit"
    aria-label="Choose ${nameOf(row)}, ${id}"
    ${
      place.postTo === undefined
        ? html`name="${FIND.chosen}" value="${id}"`
        : html`name="${place.field}" value="${id}" formaction="${place.postTo}"`
    }
  >
    Choose
  </button>`

const idColumn = (place: Place, target: Place['targets'][number]): Column<CustomerOfPartner> => {
  const isMerchant = target === 'merchant'
  const idOf = (row: CustomerOfPartner) => (isMerchant ? row.customer_id : row.partner_customer_id)
  const pathOf = (id: string) => (isMerchant ? `/console/merchants/${id}` : customerPath(id))
  return {
    heading: isMerchant ? 'Merchant' : 'Relationship',
    cell: (row) => {
      const id = idOf(row)
      return place.targets.includes(target)
        ? html`${chooseButton(place, id, row)} <code>${id}</code>`
        : idLink(pathOf(id), id)
    },
  }
}

const columnsOf = (place: Place, names: Names): Column<CustomerOfPartner>[] => {
  const others = (['relationship', 'merchant'] as const).filter((target) => !place.targets.includes(target))
  return [
    { heading: 'Name', cell: nameOf },
    ...place.targets.map((target) => idColumn(place, target)),
    { heading: 'Partner’s customer id', cell: (row) => row.external_customer_id },
    { heading: 'E-mail address', cell: ({ customer }) => customer.email },
    { heading: 'Country', cell: ({ customer }) => customer.country ?? '' },
    { heading: 'Partner', cell: (row) => namedLink(row.partner_id, names) },
    ...others.map((target) => idColumn(place, target)),
  ]
}

const resultTable = (place: Place, { rows, similar, next }: Found, names: Names): Html => {
  const columns = columnsOf(place, names)
  return html`${table({
    caption: 'Merchants found',
    columns,
    rows,
    empty: 'No merchant was found. A name is known once the merchant has entered its business data.',
  })}
  ${
    next !== null &&
    html`<p class="actions">
      <button class="quiet" type="submit" name="${FIND.cursor}" value="${next}">Next page</button>
    </p>`
  }
  ${similar.length > 0 && table({ caption: 'Similar names', columns, rows: similar, empty: '' })}`
}

type Shown = Readonly<{
  place: Place
  name: FindPlace
  entered: URLSearchParams
  text: string
  found: Found | null
  names: Names
}>

const UNAVAILABLE = notice('warning', 'The search is temporarily unavailable.', 'Try again in a moment.')

const findPage = (request: StaffRequest, { place, name, entered, text, found, names }: Shown): Html =>
  consolePage({
    session: request.session,
    current: place.current,
    title: 'Find a merchant',
    main: html`<h1>Find a merchant</h1>
      ${consoleForm(
        request.session,
        FIND_MERCHANT_PATH,
        html`<input type="hidden" name="${FIND.place}" value="${name}" />
          ${carriedFields(place, entered).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
          ${textField({
            name: FIND.text,
            id: 'find',
            label: 'Name of the merchant',
            hint: 'Its name or a word of it, its e-mail address, its id (cus_…), or the id that its partner gave it',
            value: text,
            isRequired: true,
          })}
          <p class="actions">
            ${submit('Find')} <a href="${addressOf(place, entered, null)}">Back without choosing</a>
          </p>
          ${text !== '' && (found === null ? UNAVAILABLE : resultTable(place, found, names))}`,
      )}`,
  })

/** Finds a merchant for a form: shows what its name finds, and returns to the form with the chosen id and all entries. */
const showFound = async (request: StaffRequest): Promise<Answer> => {
  const { form, query } = request
  const entered = form.has(FIND.place) ? form : query
  const name = (entered.get(FIND.place) ?? '') as FindPlace
  const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined
  if (place === undefined) return { kind: 'error', code: 'resource_not_found' }
  const chosen = entered.get(FIND.chosen)
  if (chosen !== null && ID.test(chosen)) return redirectTo(addressOf(place, entered, chosen))
  const typed = (entered.get(place.field) ?? '').trim()
  const text = (entered.get(FIND.text) ?? (LIKE_ID.test(typed) ? '' : typed)).trim().slice(0, MAX_LENGTH)
  const found = text === '' ? NOTHING : await find(request, text, entered.get(FIND.cursor))
  const names = await readNames(
    request,
    [...(found?.rows ?? []), ...(found?.similar ?? [])].map((row) => row.partner_id),
  )
  return pageOf(findPage(request, { place, name, entered, text, found, names }))
}

/** The search for a merchant by name, for forms that ask for an id. Forms open it by the method that they have. */
export const findMerchantScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: FIND_MERCHANT_PATH, answer: showFound }),
  sessionScreen('console', { method: 'POST', path: FIND_MERCHANT_PATH, answer: showFound }),
]
