import { verifications, type NextStep, type Requirement } from '@causeway/contracts'
import { EMPTY, html, linkButton, notice, statusTag, time, type Html } from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { onboardingPage, refusedAnswer } from './frame.ts'
import { REJECTIONS } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { formSections } from './schema-form.ts'
import { SECTION_TAGS, sectionsOf, type Section } from './sections.ts'
import { isOpen, isReady, stepsNamed, withState, type OnboardingState } from './state.ts'

/** Notices for the result of a form, shown on the page that it redirects to. */
const NEWS: Readonly<Record<string, Html>> = {
  sent: notice('good', 'Submitted.', 'You can close this page. Open the link again to see the status.'),
  closed: notice(
    'warning',
    'You cannot change this now.',
    'The application was submitted in the meantime, perhaps from another device, and is under review.',
  ),
  kept: notice(
    'good',
    'Your application is complete and saved.',
    'Another platform has already registered a business with these details. We submit your application once we have confirmed that both are the same business.',
  ),
  answered: notice('good', 'Your answer was sent.'),
}

const backLink = ({ link }: OnboardingRequest): Html =>
  link.returnUrl === null
    ? EMPTY
    : html`<p class="actions">${linkButton(link.returnUrl, `Back to ${link.partnerName}`)}</p>`

const rejection = ({ verification }: OnboardingState): Html => {
  const [why, advice] = REJECTIONS[verification?.rejection_reason ?? 'other']
  return notice(
    'bad',
    `Not approved: ${why}`,
    `${advice} Your entries are still here: change what is needed, then submit again.`,
  )
}

/** Describes the status of the application. */
const statusNotice = (request: OnboardingRequest, state: OnboardingState): Html => {
  const { verification } = state
  const { partnerName } = request.link
  if (stepsNamed(state, 'renew_verification').length > 0)
    return notice(
      'warning',
      'Your approval has expired.',
      'Check the entries below, update what has changed, and submit again.',
    )
  switch (verification?.status) {
    case 'rejected':
      return rejection(state)
    case 'pending':
      return state.requirements.some(({ status }) => status === 'open')
        ? notice('warning', 'We need more information from you.', 'Answer the requests below.')
        : notice('neutral', 'We are reviewing your application.', 'You do not need to do anything now.')
    case 'approved':
      return html`${notice('good', 'You are approved.', `Continue at ${partnerName}.`)} ${backLink(request)}`
    case 'draft':
    case undefined:
      return html`<p>
        ${partnerName} has asked you for details about your business. We save your entries as you type: you
        can stop at any time, and continue with the same link, also on another device.
      </p>`
  }
}

const requirementLink = ({ link }: OnboardingRequest, { requirement_id: id, message, due_at }: Requirement) =>
  html`<li>
    <a href="${link.path}/requirements/${id}">${message}</a>
    ${due_at !== null && html`<span class="hint">until ${time(due_at)}</span>`}
  </li>`

/** Lists the requirements, each with a link to the page that answers it. */
const requirementList = (request: OnboardingRequest, { requirements }: OnboardingState): Html => {
  const open = requirements.filter(({ status }) => status === 'open')
  const answered = requirements.length - open.length
  if (requirements.length === 0) return EMPTY
  return html`<section class="sheet" aria-labelledby="questions">
    <h2 id="questions">Requests</h2>
    ${
      open.length > 0 &&
      html`<ul>
        ${open.map((requirement) => requirementLink(request, requirement))}
      </ul>`
    }
    ${answered > 0 && html`<p class="hint">Answered and under review: ${answered}</p>`}
  </section>`
}

/** Steps that the merchant cannot do on these pages: they need someone else, or time. */
const WAITS: Readonly<Partial<Record<NextStep['step'], string>>> = {
  await_review: 'We review your application. The platform that sent you the link informs you of the result.',
  confirm_link:
    'Another platform has already registered this business. We check that both are the same business; your entries here are kept until then.',
  await_reinstatement: 'Part of your account is suspended. The support team informs you of what is needed.',
  reduce_disputes:
    'Too many of your card payments are disputed. Card payments are enabled again automatically when the dispute rate has fallen.',
}

const waits = ({ steps }: OnboardingState): Html => {
  const texts = [...new Set(steps.flatMap(({ step }) => WAITS[step] ?? []))]
  return texts.length === 0
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="waits">
        <h2 id="waits">What happens next</h2>
        <ul>
          ${texts.map((text) => html`<li>${text}</li>`)}
        </ul>
      </section>`
}

const sectionRow = ({ link }: OnboardingRequest, { path, title, state, note }: Section): Html => {
  const [tone, text] = SECTION_TAGS[state]
  return html`<li>
    <span
      ><a href="${link.path}${path}">${title}</a
      >${note !== '' && html` <span class="hint">${note}</span>`}</span
    >
    ${statusTag(tone, text)}
  </li>`
}

/** Renders the button for the next step. */
const nextAction = (
  { link }: OnboardingRequest,
  state: OnboardingState,
  sections: readonly Section[],
): Html => {
  const next = sections.find(
    ({ state: done, path }) => done !== 'done' && (isOpen(state) || path === '/agreements'),
  )
  if (next !== undefined)
    return linkButton(
      `${link.path}${next.path}`,
      next.state === 'empty' && sections.every(({ state: s }) => s === 'empty')
        ? 'Start'
        : `Continue with ${next.title}`,
    )
  return isOpen(state) && isReady(state) ? linkButton(`${link.path}/review`, 'Review and submit') : EMPTY
}

const overview = async (request: OnboardingRequest, state: OnboardingState): Promise<Answer> => {
  const schema = await request.ask(verifications.getSchema, {})
  if (!schema.ok) return refusedAnswer(schema.code)
  const sections = sectionsOf(state, formSections(schema.value))
  const done = sections.filter((section) => section.state === 'done').length
  return onboardingPage(request, {
    title: 'Your application',
    main: html`${NEWS[request.query.get('news') ?? ''] ?? EMPTY} ${statusNotice(request, state)}
      ${requirementList(request, state)}
      <section class="sheet" aria-labelledby="parts">
        <h2 id="parts">Progress: ${done} of ${sections.length} done</h2>
        <ol class="parts">
          ${sections.map((section) => sectionRow(request, section))}
        </ol>
        <p class="actions">${nextAction(request, state, sections)}</p>
      </section>
      ${waits(state)}`,
  })
}

export const overviewScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '', answer: withState(overview) },
]
