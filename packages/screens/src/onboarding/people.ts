import { MAX_PEOPLE } from '@causeway/contracts'
import { checkbox, EMPTY, html, linkButton, notice, submit, type Html } from '../design/index.ts'
import type { Values } from './field-values.ts'
import { goTo, onboardingPage, postForm } from './frame.ts'
import { sectionTitle } from './labels.ts'
import { originals } from './merge.ts'
import { missingOf, NEW, peopleOf, withList, WORDS, type Show, type View } from './people-views.ts'
import { removePerson, savePerson, showPerson } from './person.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { closedAnswer, saveDraft } from './save.ts'
import { pathAfter, pathOfSection, sectionsOf } from './sections.ts'
import { isEditable, withState, type OnboardingState } from './state.ts'

const NONE_HOLDS = 'none_holds'

const nameOf = ({ full_name: name }: Values): string =>
  typeof name === 'string' && name.trim() !== '' ? name : 'No name yet'

const personRow = (
  request: OnboardingRequest,
  state: OnboardingState,
  { list, section }: View,
  [person, index]: readonly [Values, number],
): Html => {
  const path = `/people/${list}/${index}`
  const left = missingOf(state, list, index).length
  const name = nameOf(person)
  return html`<li>
    <span
      ><a href="${request.link.path}${path}${left > 0 && '?check'}">${name}</a>${
        left > 0 && html` <span class="hint">${left} to enter or correct</span>`
      }</span
    >
    ${
      isEditable(state) &&
      postForm(
        request,
        `${path}/remove`,
        html`<button class="quiet" type="submit" aria-label="Remove ${name}">Remove</button>`,
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
      label: 'Nobody owns at least 25% of the business',
      isChecked: verification?.ubo_declaration === 'no_qualifying_ubo',
    })}
    ${submit('Save', 'quiet')}`,
  )

const listPage: Show = (request, state, view) => {
  const { list, section, all } = view
  const { one, about } = WORDS[list]
  const people = peopleOf(state.verification, list)
  const isChangeable = isEditable(state)
  const hasNone = list === 'ubos' && state.verification?.ubo_declaration === 'no_qualifying_ubo'
  const path = pathOfSection(section)
  return onboardingPage(request, {
    title: sectionTitle(list),
    main: html`${NEWS[request.query.get('news') ?? ''] ?? EMPTY}
      <p>${about}</p>
      ${
        people.length > 0 &&
        html`<ul class="parts">
          ${people.map((person, index) => personRow(request, state, view, [person, index]))}
        </ul>`
      }
      ${!isChangeable && notice('neutral', 'You cannot change this now.')}
      ${
        isChangeable &&
        !hasNone &&
        people.length < MAX_PEOPLE &&
        html`<p class="actions">
          ${linkButton(`${request.link.path}${path}/${NEW}`, `Add ${one === 'owner' ? 'an' : 'a'} ${one}`, people.length === 0 ? 'primary' : 'quiet')}
        </p>`
      }
      ${isChangeable && list === 'ubos' && people.length === 0 && declaration(request, state)}
      ${
        (people.length > 0 || hasNone) &&
        html`<p class="actions">
          ${linkButton(`${request.link.path}${pathAfter(sectionsOf(state, all), path)}`, 'Continue')}
        </p>`
      }`,
  })
}

const NEWS: Readonly<Record<string, Html>> = {
  gone: notice(
    'warning',
    'Another device changed the list in the meantime.',
    'This is the current list. Check it, and repeat your change if it is still needed.',
  ),
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
    ? withState((_, after) => goTo(request, pathAfter(sectionsOf(after, view.all), '/people/ubos')))(request)
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
