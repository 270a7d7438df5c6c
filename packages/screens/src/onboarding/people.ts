import { MAX_PEOPLE } from '@causeway/contracts'
import { checkbox, html, linkButton, notice, submit, type Html } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import type { Values } from './field-values.ts'
import { goTo, onboardingPage, postForm, urlOf } from './frame.ts'
import { sectionTitle } from './labels.ts'
import { originals } from './merge.ts'
import { missingOf, NEW, peopleOf, withList, type Show, type View } from './people-views.ts'
import { removePerson, savePerson, showPerson } from './person.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { closedAnswer, saveDraft } from './save.ts'
import { pathAfter, pathOfSection, sectionsOf } from './sections.ts'
import { isEditable, withState, type OnboardingState } from './state.ts'

const NONE_HOLDS = 'none_holds'

const nameOf = ({ text }: Language, { full_name: name }: Values): string =>
  typeof name === 'string' && name.trim() !== '' ? name : text('person.noName')

const personRow = (
  request: OnboardingRequest,
  state: OnboardingState,
  { list, section }: View,
  [person, index]: readonly [Values, number],
): Html => {
  const path = `/people/${list}/${index}`
  const left = missingOf(state, list, index).length
  const { text } = request.language
  const name = nameOf(request.language, person)
  return html`<li>
    <span
      ><a href="${urlOf(request, left > 0 ? `${path}?check` : path)}"><bdi>${name}</bdi></a
      >${left > 0 && html` <span class="hint">${text('section.left', { count: left })}</span>`}</span
    >
    ${
      isEditable(state) &&
      postForm(
        request,
        `${path}/remove`,
        html`<button class="quiet" type="submit" aria-label="${text('person.removeName', { name })}">
          ${text('person.remove')}
        </button>`,
        { hidden: originals(section.fields, person) },
      )
    }
  </li>`
}

/** Renders the declaration that nobody owns enough to be listed. */
const declaration = (request: OnboardingRequest, { verification }: OnboardingState): Html =>
  postForm(
    request,
    '/people/ubos/declaration',
    html`${checkbox({
      name: NONE_HOLDS,
      label: request.language.text('person.none'),
      isChecked: verification?.ubo_declaration === 'no_qualifying_ubo',
    })}
    ${submit(request.language.text('person.save'), 'quiet')}`,
  )

const listPage: Show = (request, state, view) => {
  const { list, section, all } = view
  const { language } = request
  const { text } = language
  const people = peopleOf(state.verification, list)
  const isChangeable = isEditable(state)
  const hasNone = list === 'ubos' && state.verification?.ubo_declaration === 'no_qualifying_ubo'
  const path = pathOfSection(section)
  return onboardingPage(request, {
    title: sectionTitle(language, list),
    main: html`${
        request.query.get('news') === 'gone' &&
        notice('warning', text('person.listChanged'), text('person.listChanged.advice'))
      }
      <p>${text(`person.${list}.about`)}</p>
      ${
        people.length > 0 &&
        html`<ul class="parts">
          ${people.map((person, index) => personRow(request, state, view, [person, index]))}
        </ul>`
      }
      ${!isChangeable && notice('neutral', text('closed'))}
      ${
        isChangeable &&
        !hasNone &&
        people.length < MAX_PEOPLE &&
        html`<p class="actions">
          ${linkButton(urlOf(request, `${path}/${NEW}`), text(`person.${list}.add`), people.length === 0 ? 'primary' : 'quiet')}
        </p>`
      }
      ${isChangeable && list === 'ubos' && people.length === 0 && declaration(request, state)}
      ${
        (people.length > 0 || hasNone) &&
        html`<p class="actions">
          ${linkButton(
            urlOf(request, pathAfter(sectionsOf(language, state, all), path)),
            text('person.continue'),
          )}
        </p>`
      }`,
  })
}

const declare: Show = async (request, state, view) => {
  if (!isEditable(state)) return closedAnswer(request)
  const hasNone = request.form.get(NONE_HOLDS) === 'true'
  if (hasNone && peopleOf(state.verification, 'ubos').length > 0)
    return goTo(request, '/people/ubos?news=gone')
  const saved = await saveDraft(request, state, {
    ubo_declaration: hasNone ? 'no_qualifying_ubo' : 'has_ubos',
  })
  if (saved.kind === 'answer') return saved.answer
  if (saved.kind === 'refused') return goTo(request, '/people/ubos?news=gone')
  return hasNone
    ? withState((_, after) =>
        goTo(request, pathAfter(sectionsOf(request.language, after, view.all), '/people/ubos')),
      )(request)
    : goTo(request, '/people/ubos')
}

export const peopleScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/people/:list', answer: withList(listPage) },
  { method: 'GET', path: '/people/:list/:place', answer: withList(showPerson) },
  { method: 'POST', path: '/people/:list/:place', answer: withList(savePerson) },
  { method: 'POST', path: '/people/:list/:place/remove', answer: withList(removePerson) },
  {
    method: 'POST',
    path: '/people/ubos/declaration',
    answer: (request) => withList(declare)({ ...request, params: { ...request.params, list: 'ubos' } }),
  },
]
