import { verifications } from '@causeway/contracts'
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
import { goTo, onboardingPage, postForm, refusedAnswer, urlOf } from './frame.ts'
import { sectionTitle } from './labels.ts'
import { mergeForm, originals, type Merged } from './merge.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { closedAnswer, saveDraft } from './save.ts'
import { formSections, type FormSection } from './schema-form.ts'
import { pathAfter, pathOfSection, sectionsOf } from './sections.ts'
import {
  isEditable,
  missingFields,
  readVerification,
  withState,
  type FormAnswer,
  type OnboardingState,
} from './state.ts'

/** Set by the page's script, which saves the form while the user types and stays on the page. */
const AUTOSAVE = 'autosave'

const storedOf = ({ verification }: Pick<OnboardingState, 'verification'>, name: string): Values =>
  (verification?.[name as keyof typeof verification] as Values | undefined) ?? {}

const textsOf = ({ fields }: FormSection, values: Values): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field.name, textOf(field, values[field.name])]))

/** Lists the fields that are still missing; the merchant can complete them later. */
const incomplete = ({ text }: Language, errors: FieldErrors): Html =>
  errorSummary(errors, text('fault.incomplete'))

type Shown = Readonly<{
  section: FormSection
  /** The stored values, which the submitted form is compared with. */
  stored: Values
  texts: Readonly<Record<string, string>>
  errors: FieldErrors
  summary: Html
  status?: number
}>

const groupPage = (request: OnboardingRequest, shown: Shown): Answer => {
  const { section, stored, texts, errors, summary, status = 200 } = shown
  const { name, fields } = section
  const { language } = request
  return onboardingPage(request, {
    title: sectionTitle(language, name),
    status,
    main: html`${summary}
    ${postForm(
      request,
      pathOfSection(section),
      html`${controls(language, name, fields, texts, errors)}
        <p class="actions">
          ${submit(language.text('details.continue'))}
          ${linkButton(urlOf(request, ''), language.text('details.later'), 'quiet')}
        </p>`,
      { hidden: originals(fields, stored), use: 'autosave' },
    )}`,
  })
}

/** Renders the page of a group that can no longer be changed. */
const closedGroup = (request: OnboardingRequest, { name }: FormSection): Answer =>
  onboardingPage(request, {
    title: sectionTitle(request.language, name),
    main: html`${notice('neutral', request.language.text('closed'), request.language.text('closed.why'))}
    ${linkButton(urlOf(request, ''), request.language.text('start.overview'), 'quiet')}`,
  })

/** Calls `show` with the group of the form that the path names. */
const withGroup =
  (
    show: (
      request: OnboardingRequest,
      state: OnboardingState,
      section: FormSection,
      all: readonly FormSection[],
    ) => FormAnswer | Promise<FormAnswer>,
  ) =>
  (request: OnboardingRequest): Promise<Answer> =>
    withState(async (_, state) => {
      const schema = await request.ask(verifications.getSchema, {})
      if (!schema.ok) return refusedAnswer(schema.code, request)
      const all = formSections(schema.value)
      const section = all.find(({ kind, name }) => kind === 'group' && name === request.params['group'])
      return section === undefined
        ? { kind: 'error', code: 'resource_not_found' }
        : show(request, state, section, all)
    })(request)

const showGroup = (request: OnboardingRequest, state: OnboardingState, section: FormSection): Answer => {
  if (!isEditable(state)) return closedGroup(request, section)
  const { name, fields } = section
  const stored = storedOf(state, name)
  const texts = textsOf(section, stored)
  const isChecked = request.query.has('check')
  const errors = isChecked
    ? incompleteErrors(request.language, name, fields, texts, missingFields(state), name)
    : {}
  return groupPage(request, { section, stored, texts, errors, summary: incomplete(request.language, errors) })
}

/** Saves the changed fields. Leaves out the ones that are refused, so that the rest is kept. */
const storeChanges = async (
  request: OnboardingRequest,
  state: OnboardingState,
  { name }: FormSection,
  merged: Merged,
): Promise<Readonly<{ errors: FieldErrors }> | FormAnswer> => {
  const { changes, errors } = merged
  if (Object.keys(changes).length === 0) return { errors }
  const write = (values: Values) => saveDraft(request, state, { [name]: values })
  const first = await write(changes)
  if (first.kind === 'saved') return { errors }
  if (first.kind === 'answer') return first.answer
  const refused = refusalErrors(request.language, first.details, name)
  const rest = Object.fromEntries(Object.entries(changes).filter(([field]) => !(field in refused)))
  if (Object.keys(refused).length === 0)
    throw new Error('A write was refused for fields that its page does not have')
  if (Object.keys(rest).length > 0) {
    const second = await write(rest)
    if (second.kind === 'answer') return second.answer
    if (second.kind === 'refused') throw new Error('A write without its faults was refused')
  }
  return { errors: { ...errors, ...refused } }
}

const saveGroup = async (
  request: OnboardingRequest,
  state: OnboardingState,
  section: FormSection,
  all: readonly FormSection[],
): Promise<FormAnswer> => {
  if (!isEditable(state)) return closedAnswer(request)
  const { form } = request
  const { name, fields } = section
  const merged = mergeForm(request.language, fields, form, storedOf(state, name))
  const outcome = await storeChanges(request, state, section, merged)
  if ('kind' in outcome) return outcome
  const { errors } = outcome
  if (Object.keys(errors).length > 0 || form.has(AUTOSAVE)) {
    const now = await readVerification(request)
    if (!now.ok) return refusedAnswer(now.code, request)
    return groupPage(request, {
      section,
      stored: storedOf({ verification: now.value }, name),
      texts: merged.shown,
      errors,
      summary: errorSummary(errors, request.language.text('fault.restSaved')),
      ...(Object.keys(errors).length > 0 && !form.has(AUTOSAVE) && { status: 422 }),
    })
  }
  return withState((_, after) => {
    const path = pathOfSection(section)
    const isDone = !missingFields(after).some((missing) => missing.startsWith(`${name}.`))
    return goTo(request, isDone ? pathAfter(sectionsOf(request.language, after, all), path) : `${path}?check`)
  })(request)
}

export const detailScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/details/:group', answer: withGroup(showGroup) },
  { method: 'POST', path: '/details/:group', answer: withGroup(saveGroup) },
]
