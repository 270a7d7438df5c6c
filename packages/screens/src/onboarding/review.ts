import { lastModified, verifications } from '@causeway/contracts'
import {
  checkbox,
  definitionList,
  errorSummary,
  html,
  linkButton,
  notice,
  submit,
  type FieldErrors,
  type Html,
} from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { textOf, type Values } from './field-values.ts'
import { goTo, onboardingPage, postForm, refusedAnswer } from './frame.ts'
import { fieldLabel, optionText, sectionTitle } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { closedAnswer, isModified } from './save.ts'
import { formSections, type FormField, type FormSection } from './schema-form.ts'
import { pathOfSection, sectionsOf, type Section } from './sections.ts'
import { isOpen, isReady, MODIFIED, withState, type FormAnswer, type OnboardingState } from './state.ts'

/**
 * Version of the statement below. Change it whenever the statement's text changes, and add the new text to the list in
 * docs/HOSTED-ONBOARDING.md, where the text of every stored version stays readable.
 */
const CONSENT_VERSION = 'hosted-onboarding-2026-11-25'
const CONSENT =
  'The information that I entered is true and complete. I am authorised to act for the business. The information may be checked for this application.'

/** Hidden field with the version of the reviewed data, so that only reviewed data is submitted. */
const SEEN = 'seen'

const shown = (field: FormField, value: unknown): string => {
  const text = textOf(field, value)
  if (field.kind === 'choice' || field.kind === 'choices')
    return text === '' ? '' : text.split(',').map(optionText).join(', ')
  return text
}

const facts = (group: string, fields: readonly FormField[], values: Values): Html =>
  definitionList(
    fields
      .map((field) => ({ term: fieldLabel(group, field.name), value: shown(field, values[field.name]) }))
      .filter(({ value }) => value !== ''),
  )

const sectionFacts = ({ verification }: OnboardingState, { name, kind, fields }: FormSection): Html => {
  const value = verification?.[name as keyof typeof verification]
  if (kind === 'group') return facts(name, fields, (value as Values | undefined) ?? {})
  const people = (value as readonly Values[] | undefined) ?? []
  if (people.length === 0)
    return html`<p>
      ${name === 'ubos' && verification?.ubo_declaration === 'no_qualifying_ubo' ? 'Nobody owns at least 25%.' : 'No entries yet.'}
    </p>`
  return html`${people.map((person) => facts('person', fields, person))}`
}

const sectionSheet = (request: OnboardingRequest, state: OnboardingState, section: FormSection): Html =>
  html`<section class="sheet" aria-labelledby="part-${section.name}">
    <h2 id="part-${section.name}">${sectionTitle(section.name)}</h2>
    ${sectionFacts(state, section)}
    <p>
      <a href="${request.link.path}${pathOfSection(section)}"
        >Change<span class="unseen"> ${sectionTitle(section.name)}</span></a
      >
    </p>
  </section>`

/** Lists the missing sections with links. Agreements are not required for submission. */
const missing = ({ link }: OnboardingRequest, sections: readonly Section[]): Html =>
  notice(
    'warning',
    'You cannot submit yet.',
    html`Missing:
    ${sections.map(
      ({ path, title }, index) =>
        html`${index > 0 && ', '}<a href="${link.path}${path}${path.startsWith('/details/') && '?check'}"
            >${title}</a
          >`,
    )}`,
  )

const sendForm = (request: OnboardingRequest, state: OnboardingState, errors: FieldErrors): Html =>
  postForm(
    request,
    '/review',
    html`${checkbox({ name: 'consent', label: CONSENT, isRequired: true, error: errors['consent'] })}
    ${checkbox({
      name: 'marketing_opt_in',
      label: 'Send me news and offers.',
      isChecked: state.verification?.consent.marketing_opt_in === true,
    })}
    ${submit('Submit')}`,
    { hidden: { [SEEN]: lastModified(state.verification) } },
  )

type Faults = Readonly<{ errors?: FieldErrors; isStale?: boolean }>

const statusOf = ({ errors = {}, isStale = false }: Faults): number => {
  if (isStale) return 409
  return Object.keys(errors).length > 0 ? 422 : 200
}

const reviewPage =
  ({ errors = {}, isStale = false }: Faults = {}) =>
  async (request: OnboardingRequest, state: OnboardingState): Promise<Answer> => {
    const schema = await request.ask(verifications.getSchema, {})
    if (!schema.ok) return refusedAnswer(schema.code)
    if (!isOpen(state)) return goTo(request, '')
    const form = formSections(schema.value)
    const left = sectionsOf(state, form).filter(
      ({ state: done, path }) => done !== 'done' && path !== '/agreements',
    )
    return onboardingPage(request, {
      title: 'Review and submit',
      status: statusOf({ errors, isStale }),
      main: html`${
          isStale &&
          notice(
            'warning',
            'Nothing was submitted: the data changed in the meantime, perhaps on another device.',
            'This is the current data. Review it, then submit again.',
          )
        }
        ${errorSummary(errors, 'Nothing was submitted. Correct these errors:')}
        ${left.length > 0 && missing(request, left)}
        ${form.map((section) => sectionSheet(request, state, section))}
        ${left.length === 0 && sendForm(request, state, errors)}
        <p class="actions">${linkButton(request.link.path, 'Overview', 'quiet')}</p>`,
    })
  }

const send = async (request: OnboardingRequest, state: OnboardingState): Promise<FormAnswer> => {
  const { ask, link, form } = request
  if (!isOpen(state)) return closedAnswer(request)
  if (!isReady(state)) return goTo(request, '/review')
  const seen = lastModified(state.verification)
  if (form.get(SEEN) !== seen) return reviewPage({ isStale: true })(request, state)
  if (form.get('consent') !== 'true')
    return reviewPage({ errors: { consent: 'Tick the box to confirm the statement.' } })(request, state)
  const reply = await ask(verifications.submit, {
    params: { customerId: link.customerId },
    query: { unmodified_since: seen },
    body: {
      consent: { version: CONSENT_VERSION, marketing_opt_in: form.get('marketing_opt_in') === 'true' },
    },
  })
  if (!reply.ok && isModified(reply)) return MODIFIED
  if (!reply.ok) return reply.code === 'invalid_state' ? closedAnswer(request) : refusedAnswer(reply.code)
  // With an unconfirmed link to an existing merchant, complete data is saved but not submitted yet.
  const { submitted, blocked_by: blockedBy } = reply.value
  if (submitted) return goTo(request, '?news=sent')
  return goTo(request, blockedBy === null ? '?news=kept' : '/review')
}

export const reviewScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/review', answer: withState(reviewPage()) },
  { method: 'POST', path: '/review', answer: withState(send) },
]
