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
import type { Language } from '../languages/language.ts'
import type { Answer } from '../screen.ts'
import { textOf, type Values } from './field-values.ts'
import { goTo, onboardingPage, postForm, refusedAnswer, urlOf } from './frame.ts'
import { fieldLabel, optionText, sectionTitle } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { closedAnswer, isModified } from './save.ts'
import { formSections, type FormField, type FormSection } from './schema-form.ts'
import { pathOfSection, sectionsOf, type Section } from './sections.ts'
import { isOpen, isReady, MODIFIED, withState, type FormAnswer, type OnboardingState } from './state.ts'

/**
 * Version of the statement `review.consent`. Change it whenever the statement's text changes in a language, and add the
 * new text to the list in docs/HOSTED-ONBOARDING.md, where the text of every stored version stays readable.
 */
const CONSENT_VERSION = 'hosted-onboarding-2026-11-25'

/** The version that a person has read: other languages than English end in their tag. */
const consentVersion = ({ tag }: Language): string =>
  tag === 'en' ? CONSENT_VERSION : `${CONSENT_VERSION}-${tag}`

/** Hidden field with the version of the reviewed data, so that only reviewed data is submitted. */
const SEEN = 'seen'

const shown = (language: Language, field: FormField, value: unknown): string => {
  const text = textOf(field, value)
  if (field.kind === 'choice' || field.kind === 'choices')
    return text === ''
      ? ''
      : text
          .split(',')
          .map((option) => optionText(language, option))
          .join(', ')
  return text
}

const facts = (language: Language, group: string, fields: readonly FormField[], values: Values): Html =>
  definitionList(
    fields
      .map((field) => ({
        term: fieldLabel(language, group, field.name),
        text: shown(language, field, values[field.name]),
      }))
      .filter(({ text }) => text !== '')
      .map(({ term, text }) => ({ term, value: html`<bdi>${text}</bdi>` })),
  )

const sectionFacts = (
  language: Language,
  { verification }: OnboardingState,
  { name, kind, fields }: FormSection,
): Html => {
  const value = verification?.[name as keyof typeof verification]
  if (kind === 'group') return facts(language, name, fields, (value as Values | undefined) ?? {})
  const people = (value as readonly Values[] | undefined) ?? []
  if (people.length === 0)
    return html`<p>
      ${language.text(name === 'ubos' && verification?.ubo_declaration === 'no_qualifying_ubo' ? 'person.none' : 'review.noEntries')}
    </p>`
  return html`${people.map((person) => facts(language, 'person', fields, person))}`
}

const sectionSheet = (request: OnboardingRequest, state: OnboardingState, section: FormSection): Html =>
  html`<section class="sheet" aria-labelledby="part-${section.name}">
    <h2 id="part-${section.name}">${sectionTitle(request.language, section.name)}</h2>
    ${sectionFacts(request.language, state, section)}
    <p>
      <a
        href="${urlOf(request, pathOfSection(section))}"
        aria-label="${request.language.text('review.changeSection', { section: sectionTitle(request.language, section.name) })}"
        >${request.language.text('review.change')}</a
      >
    </p>
  </section>`

/** Lists the missing sections with links. Agreements are not required for submission. */
const missing = (request: OnboardingRequest, sections: readonly Section[]): Html =>
  notice(
    'warning',
    request.language.text('review.notYet'),
    html`${request.language.text('review.missing')}
    ${sections.map(
      ({ path, title }, index) =>
        html`${index > 0 && ', '}<a
            href="${urlOf(request, path.startsWith('/details/') ? `${path}?check` : path)}"
            >${title}</a
          >`,
    )}`,
  )

const sendForm = (request: OnboardingRequest, state: OnboardingState, errors: FieldErrors): Html =>
  postForm(
    request,
    '/review',
    html`${checkbox({ name: 'consent', label: request.language.text('review.consent'), isRequired: true, error: errors['consent'] })}
    ${checkbox({
      name: 'marketing_opt_in',
      label: request.language.text('review.news'),
      isChecked: state.verification?.consent.marketing_opt_in === true,
    })}
    ${submit(request.language.text('review.submit'))}`,
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
    if (!schema.ok) return refusedAnswer(schema.code, request)
    if (!isOpen(state)) return goTo(request, '')
    const form = formSections(schema.value)
    const left = sectionsOf(request.language, state, form).filter(
      ({ state: done, path }) => done !== 'done' && path !== '/agreements',
    )
    const { text } = request.language
    return onboardingPage(request, {
      title: text('review.title'),
      status: statusOf({ errors, isStale }),
      main: html`${isStale && notice('warning', text('review.stale'), text('review.stale.advice'))}
        ${errorSummary(errors, text('review.nothing'))} ${left.length > 0 && missing(request, left)}
        ${form.map((section) => sectionSheet(request, state, section))}
        ${left.length === 0 && sendForm(request, state, errors)}
        <p class="actions">${linkButton(urlOf(request, ''), text('start.overview'), 'quiet')}</p>`,
    })
  }

const send = async (request: OnboardingRequest, state: OnboardingState): Promise<FormAnswer> => {
  const { ask, link, form } = request
  if (!isOpen(state)) return closedAnswer(request)
  if (!isReady(state)) return goTo(request, '/review')
  const seen = lastModified(state.verification)
  if (form.get(SEEN) !== seen) return reviewPage({ isStale: true })(request, state)
  if (form.get('consent') !== 'true')
    return reviewPage({ errors: { consent: request.language.text('review.consent.error') } })(request, state)
  const reply = await ask(verifications.submit, {
    params: { customerId: link.customerId },
    query: { unmodified_since: seen },
    body: {
      consent: {
        version: consentVersion(request.language),
        marketing_opt_in: form.get('marketing_opt_in') === 'true',
      },
    },
  })
  if (!reply.ok && isModified(reply)) return MODIFIED
  if (!reply.ok)
    return reply.code === 'invalid_state' ? closedAnswer(request) : refusedAnswer(reply.code, request)
  // With an unconfirmed link to an existing merchant, complete data is saved but not submitted yet.
  const { submitted, blocked_by: blockedBy } = reply.value
  if (submitted) return goTo(request, '?news=sent')
  return goTo(request, blockedBy === null ? '?news=kept' : '/review')
}

export const reviewScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/review', answer: withState(reviewPage()) },
  { method: 'POST', path: '/review', answer: withState(send) },
]
