import {
  errorSummary,
  html,
  linkButton,
  notice,
  submit,
  type FieldErrors,
  type Html,
} from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import type { Answer } from '../screen.ts'
import { controls } from './controls.ts'
import { incompleteErrors, refusalErrors } from './faults.ts'
import { textOf, type Values } from './field-values.ts'
import { goTo, onboardingPage, postForm, urlOf } from './frame.ts'
import { mergeForm, originals } from './merge.ts'
import { missingOf, NEW, peopleOf, type Show, type View } from './people-views.ts'
import { placeOf, type PeopleList } from './person-place.ts'
import type { OnboardingRequest } from './request.ts'
import { closedAnswer, saveDraft } from './save.ts'
import type { FormSection } from './schema-form.ts'
import { isEditable, missingFields, withState, type OnboardingState } from './state.ts'

type PersonPage = Readonly<{
  view: View
  /** `new`, or the index in the list. */
  place: string
  person: Values
  texts: Readonly<Record<string, string>>
  errors: FieldErrors
  summary: Html
  status?: number
}>

const personPage = (request: OnboardingRequest, shown: PersonPage): Answer => {
  const { view, place, person, texts, errors, summary, status = 200 } = shown
  const { list, section } = view
  const { language } = request
  const { text } = language
  return onboardingPage(request, {
    title: text(place === NEW ? `person.${list}.add` : `person.${list}.change`),
    status,
    main: html`${summary}
    ${postForm(
      request,
      `/people/${list}/${place}`,
      html`${controls(language, 'person', section.fields, texts, errors)}
        <p class="actions">
          ${submit(text('person.save'))}
          ${linkButton(urlOf(request, `/people/${list}`), text('person.cancel'), 'quiet')}
        </p>`,
      { hidden: originals(section.fields, person) },
    )}`,
  })
}

const textsOf = ({ fields }: FormSection, person: Values) =>
  Object.fromEntries(fields.map((field) => [field.name, textOf(field, person[field.name])]))

export const showPerson: Show = (request, state, view) => {
  const { list, section } = view
  if (!isEditable(state)) return goTo(request, `/people/${list}`)
  const place = request.params['place'] ?? ''
  const index = Number(place)
  const person = place === NEW ? {} : peopleOf(state.verification, list)[index]
  if (person === undefined) return goTo(request, `/people/${list}?news=gone`)
  const texts = textsOf(section, person)
  const missing = request.query.has('check') ? missingFields(state) : []
  const errors = incompleteErrors(
    request.language,
    'person',
    section.fields,
    texts,
    missing,
    `${list}.${index}`,
  )
  const summary = errorSummary(errors, request.language.text('fault.incomplete'))
  return personPage(request, { view, place, person, texts, errors, summary })
}

/** Removes the empty fields of a person. */
const cleaned = (person: Values): Values =>
  Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null && value !== undefined))

const writeList = (
  request: OnboardingRequest,
  state: OnboardingState,
  list: PeopleList,
  people: readonly Values[],
) =>
  saveDraft(request, state, {
    [list]: people.map(cleaned),
    ...(list === 'ubos' && people.length > 0 && { ubo_declaration: 'has_ubos' }),
  })

/** Shows the entries for a person who is no longer in the list. Saving again adds them as a new person. */
const gonePage = (request: OnboardingRequest, view: View): Answer =>
  personPage(request, {
    view,
    place: NEW,
    person: {},
    texts: mergeForm(request.language, view.section.fields, request.form, {}).shown,
    errors: {},
    summary: notice(
      'warning',
      request.language.text('person.gone'),
      request.language.text('person.gone.advice'),
    ),
    status: 409,
  })

export const savePerson: Show = async (request, state, view) => {
  if (!isEditable(state)) return closedAnswer(request)
  const { list, section } = view
  const { fields } = section
  const people = peopleOf(state.verification, list)
  const place = placeOf(fields, people, request)
  const current = place === NEW ? {} : people[place]
  if (current === undefined) return gonePage(request, view)
  const merged = mergeForm(request.language, fields, request.form, current)
  const shown = { view, place: String(place), person: current, texts: merged.shown }
  if (Object.keys(merged.errors).length > 0)
    return personPage(request, {
      ...shown,
      errors: merged.errors,
      summary: errorSummary(merged.errors, request.language.text('fault.nothingSaved')),
      status: 422,
    })
  const changed = { ...current, ...merged.changes }
  const after = place === NEW ? [...people, changed] : people.with(place, changed)
  const index = place === NEW ? people.length : place
  if (Object.keys(merged.changes).length === 0) return goTo(request, `/people/${list}`)
  const saved = await writeList(request, state, list, after)
  if (saved.kind === 'answer') return saved.answer
  if (saved.kind === 'refused') {
    const errors = refusalErrors(request.language, saved.details, `${list}.${index}`)
    return personPage(request, { ...shown, errors, summary: tooMuch(request.language, errors), status: 422 })
  }
  return withState((_, now) =>
    goTo(
      request,
      missingOf(now, list, index).length > 0 ? `/people/${list}/${index}?check` : `/people/${list}`,
    ),
  )(request)
}

/** Renders the error of a refused list. Without field errors, the list is too large. */
const tooMuch = ({ text }: Language, errors: FieldErrors): Html =>
  Object.keys(errors).length > 0
    ? errorSummary(errors, text('fault.nothingSaved'))
    : notice('bad', text('fault.listTooLarge'))

export const removePerson: Show = async (request, state, view) => {
  if (!isEditable(state)) return closedAnswer(request)
  const { list, section } = view
  const people = peopleOf(state.verification, list)
  const place = placeOf(section.fields, people, request)
  if (place === NEW || people[place] === undefined) return goTo(request, `/people/${list}?news=gone`)
  const saved = await writeList(
    request,
    state,
    list,
    people.filter((_, index) => index !== place),
  )
  return saved.kind === 'answer' ? saved.answer : goTo(request, `/people/${list}`)
}
