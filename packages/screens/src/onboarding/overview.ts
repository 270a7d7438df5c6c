import { verifications, type NextStep, type Requirement } from '@causeway/contracts'
import { EMPTY, html, linkButton, notice, statusTag, time, type Html } from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { onboardingPage, refusedAnswer } from './frame.ts'
import { REJECTIONS } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { formSections } from './schema-form.ts'
import { SECTION_TAGS, sectionsOf, type Section } from './sections.ts'
import { isOpen, isReady, stepsNamed, withState, type OnboardingState } from './state.ts'

/** What was just done, told on the page that a form leads to. */
const NEWS: Readonly<Record<string, Html>> = {
  sent: notice('good', 'Sent.', 'You can close this page: the link shows how it goes on.'),
  closed: notice(
    'warning',
    'This cannot be changed now.',
    'It was sent in the meantime, perhaps from another device, and is being checked.',
  ),
  kept: notice(
    'good',
    'Everything is there and kept.',
    'It is sent once it is confirmed that this business is the one another platform has brought before.',
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
    `${advice} Everything that you entered is still here: change what is needed, then send it again.`,
  )
}

/** How the application stands, in words. */
const standing = (request: OnboardingRequest, state: OnboardingState): Html => {
  const { verification } = state
  const { partnerName } = request.link
  if (stepsNamed(state, 'renew_verification').length > 0)
    return notice(
      'warning',
      'Your approval has expired.',
      'Check what is below, correct what has changed, and send it again.',
    )
  switch (verification?.status) {
    case 'rejected':
      return rejection(state)
    case 'pending':
      return state.requirements.some(({ status }) => status === 'open')
        ? notice('warning', 'We need something more from you.', 'Answer what is asked for below.')
        : notice('neutral', 'We are checking what you have sent.', 'You need not do anything now.')
    case 'approved':
      return html`${notice('good', 'You are approved.', `Go on at ${partnerName}.`)} ${backLink(request)}`
    case 'draft':
    case undefined:
      return html`<p>
        ${partnerName} has asked you to tell us about your business. Every page is saved as you enter it: you
        can stop at any time, and go on with the same link, on another device too.
      </p>`
  }
}

const requirementLink = ({ link }: OnboardingRequest, { requirement_id: id, message, due_at }: Requirement) =>
  html`<li>
    <a href="${link.path}/requirements/${id}">${message}</a>
    ${due_at !== null && html`<span class="hint">until ${time(due_at)}</span>`}
  </li>`

/** What is asked for beyond the form, each with the page where it is answered. */
const questions = (request: OnboardingRequest, { requirements }: OnboardingState): Html => {
  const open = requirements.filter(({ status }) => status === 'open')
  const answered = requirements.length - open.length
  if (requirements.length === 0) return EMPTY
  return html`<section class="sheet" aria-labelledby="questions">
    <h2 id="questions">Asked for</h2>
    ${
      open.length > 0 &&
      html`<ul>
        ${open.map((requirement) => requirementLink(request, requirement))}
      </ul>`
    }
    ${answered > 0 && html`<p class="hint">Answered, and being looked at: ${answered}</p>`}
  </section>`
}

/** What waits for somebody else, or for time to pass: nothing on these pages does it. */
const WAITS: Readonly<Partial<Record<NextStep['step'], string>>> = {
  await_review: 'We check what you have sent. You are told by the platform that sent you the link.',
  confirm_link:
    'Another platform has brought this business before. We check that both mean the same one; what you enter here is kept until then.',
  await_reinstatement: 'A part of your account is suspended. The support team tells you what is needed.',
  reduce_disputes:
    'Too many of your card payments are disputed. Cards come back by themselves when the share has fallen.',
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

/** The one thing to do now. */
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
  return isOpen(state) && isReady(state) ? linkButton(`${link.path}/review`, 'Check and send') : EMPTY
}

const overview = async (request: OnboardingRequest, state: OnboardingState): Promise<Answer> => {
  const schema = await request.ask(verifications.getSchema, {})
  if (!schema.ok) return refusedAnswer(schema.code)
  const sections = sectionsOf(state, formSections(schema.value))
  const done = sections.filter((section) => section.state === 'done').length
  return onboardingPage(request, {
    title: 'Your application',
    main: html`${NEWS[request.query.get('news') ?? ''] ?? EMPTY} ${standing(request, state)}
      ${questions(request, state)}
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
