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

/** The version of the statement below: it changes with its words. */
const CONSENT_VERSION = 'hosted-onboarding-2026-11'
const CONSENT =
  'What I have entered is true and complete, I may act for the business, and it may be checked for this application.'

/** Of what state a page was made: what is sent is what the person has seen. */
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
      ${name === 'ubos' && verification?.ubo_declaration === 'no_qualifying_ubo' ? 'Nobody holds a quarter or more.' : 'Nobody yet.'}
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

/** What is missing, each with its page. Agreements can be accepted later: they keep nothing from being checked. */
const missing = ({ link }: OnboardingRequest, sections: readonly Section[]): Html =>
  notice(
    'warning',
    'It cannot be sent yet.',
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
      label: 'Write to me about news and offers, too.',
      isChecked: state.verification?.consent.marketing_opt_in === true,
    })}
    ${submit('Send')}`,
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
      title: 'Check and send',
      status: statusOf({ errors, isStale }),
      main: html`${
          isStale &&
          notice(
            'warning',
            'Nothing was sent: something was changed in the meantime, perhaps on another device.',
            'It is shown as it is now. Look at it again, then send it.',
          )
        }
        ${errorSummary(errors, 'Nothing was sent. Please correct:')}
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
    return reviewPage({ errors: { consent: 'Tick the box to confirm what you send.' } })(request, state)
  const reply = await ask(verifications.submit, {
    params: { customerId: link.customerId },
    query: { unmodified_since: seen },
    body: {
      consent: { version: CONSENT_VERSION, marketing_opt_in: form.get('marketing_opt_in') === 'true' },
    },
  })
  if (!reply.ok && isModified(reply)) return MODIFIED
  if (!reply.ok) return reply.code === 'invalid_state' ? closedAnswer(request) : refusedAnswer(reply.code)
  // Under a link that waits to be confirmed the data is complete and goes nowhere yet.
  const { submitted, blocked_by: blockedBy } = reply.value
  if (submitted) return goTo(request, '?news=sent')
  return goTo(request, blockedBy === null ? '?news=kept' : '/review')
}

export const reviewScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/review', answer: withState(reviewPage()) },
  { method: 'POST', path: '/review', answer: withState(send) },
]
