import { verifications, type NextStep, type Requirement } from '@causeway/contracts'
import { EMPTY, html, linkButton, notice, statusTag, type Html } from '../design/index.ts'
import type { Language, MessageId } from '../languages/language.ts'
import type { Answer } from '../screen.ts'
import { onboardingPage, refusedAnswer, urlOf } from './frame.ts'
import { rejectionTexts } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { formSections } from './schema-form.ts'
import { SECTION_TONES, sectionsOf, type Section } from './sections.ts'
import { isOpen, isReady, stepsNamed, withState, type OnboardingState } from './state.ts'

/** Renders the result of a form, on the page that it redirects to. */
const news = ({ language: { text }, query }: OnboardingRequest): Html => {
  switch (query.get('news')) {
    case 'sent':
      return notice('good', text('overview.sent'), text('overview.sent.advice'))
    case 'closed':
      return notice('warning', text('closed'), text('closed.submitted'))
    case 'kept':
      return notice('good', text('overview.kept'), text('overview.kept.advice'))
    case 'answered':
      return notice('good', text('overview.answered'))
    case null:
    default:
      return EMPTY
  }
}

const backLink = ({ link, language }: OnboardingRequest): Html =>
  link.returnUrl === null
    ? EMPTY
    : html`<p class="actions">
        ${linkButton(link.returnUrl, language.text('overview.backTo', { partner: link.partnerName }))}
      </p>`

const rejection = (language: Language, { verification }: OnboardingState): Html => {
  const { why, advice } = rejectionTexts(language, verification?.rejection_reason ?? 'other')
  const { text } = language
  return notice(
    'bad',
    text('overview.rejected', { reason: why }),
    html`${advice} ${text('overview.rejected.advice')}`,
  )
}

/** Describes the status of the application. */
const statusNotice = (request: OnboardingRequest, state: OnboardingState): Html => {
  const { verification } = state
  const { language } = request
  const { text } = language
  const { partnerName: partner } = request.link
  if (stepsNamed(state, 'renew_verification').length > 0)
    return notice('warning', text('overview.expired'), text('overview.expired.advice'))
  switch (verification?.status) {
    case 'rejected':
      return rejection(language, state)
    case 'pending':
      return state.requirements.some(({ status }) => status === 'open')
        ? notice('warning', text('overview.asked'), text('overview.asked.advice'))
        : notice('neutral', text('overview.reviewing'), text('overview.reviewing.advice'))
    case 'approved':
      return html`${notice('good', text('overview.approved'), text('overview.approved.advice', { partner }))}
      ${backLink(request)}`
    case 'draft':
    case undefined:
      return html`<p>${text('overview.intro', { partner })}</p>`
  }
}

const requirementLink = (request: OnboardingRequest, { requirement_id: id, message, due_at }: Requirement) =>
  html`<li>
    <a href="${urlOf(request, `/requirements/${id}`)}"><bdi>${message}</bdi></a>
    ${due_at !== null && html`<span class="hint">${request.language.rich('pay.until', { time: request.language.time(due_at) })}</span>`}
  </li>`

/** Lists the requirements, each with a link to the page that answers it. */
const requirementList = (request: OnboardingRequest, { requirements }: OnboardingState): Html => {
  const open = requirements.filter(({ status }) => status === 'open')
  const answered = requirements.length - open.length
  if (requirements.length === 0) return EMPTY
  return html`<section class="sheet" aria-labelledby="questions">
    <h2 id="questions">${request.language.text('overview.requests')}</h2>
    ${
      open.length > 0 &&
      html`<ul>
        ${open.map((requirement) => requirementLink(request, requirement))}
      </ul>`
    }
    ${answered > 0 && html`<p class="hint">${request.language.text('overview.inReview', { count: answered })}</p>`}
  </section>`
}

/** Steps that the merchant cannot do on these pages: they need someone else, or time. */
const WAITS: Readonly<Partial<Record<NextStep['step'], MessageId>>> = {
  await_review: 'overview.await_review',
  confirm_link: 'overview.confirm_link',
  await_reinstatement: 'overview.await_reinstatement',
  reduce_disputes: 'overview.reduce_disputes',
}

const waits = ({ text }: Language, { steps }: OnboardingState): Html => {
  const ids = [...new Set(steps.flatMap(({ step }) => WAITS[step] ?? []))]
  return ids.length === 0
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="waits">
        <h2 id="waits">${text('overview.next')}</h2>
        <ul>
          ${ids.map((id) => html`<li>${text(id)}</li>`)}
        </ul>
      </section>`
}

const sectionRow = (request: OnboardingRequest, { path, title, state, note }: Section): Html => {
  return html`<li>
    <span
      ><a href="${urlOf(request, path)}">${title}</a
      >${note !== '' && html` <span class="hint">${note}</span>`}</span
    >
    ${statusTag(SECTION_TONES[state], request.language.text(`section.${state}`))}
  </li>`
}

/** Renders the button for the next step. */
const nextAction = (
  request: OnboardingRequest,
  state: OnboardingState,
  sections: readonly Section[],
): Html => {
  const { text } = request.language
  const next = sections.find(
    ({ state: done, path }) => done !== 'done' && (isOpen(state) || path === '/agreements'),
  )
  if (next !== undefined)
    return linkButton(
      urlOf(request, next.path),
      next.state === 'empty' && sections.every(({ state: s }) => s === 'empty')
        ? text('overview.start')
        : text('overview.continueWith', { section: next.title }),
    )
  return isOpen(state) && isReady(state) ? linkButton(urlOf(request, '/review'), text('review.title')) : EMPTY
}

const overview = async (request: OnboardingRequest, state: OnboardingState): Promise<Answer> => {
  const schema = await request.ask(verifications.getSchema, {})
  if (!schema.ok) return refusedAnswer(schema.code, request)
  const sections = sectionsOf(request.language, state, formSections(schema.value))
  const done = sections.filter((section) => section.state === 'done').length
  const { text } = request.language
  return onboardingPage(request, {
    title: text('overview.title'),
    main: html`${news(request)} ${statusNotice(request, state)} ${requirementList(request, state)}
      <section class="sheet" aria-labelledby="parts">
        <h2 id="parts">${text('overview.progress', { done, all: sections.length })}</h2>
        <ol class="parts">
          ${sections.map((section) => sectionRow(request, section))}
        </ol>
        <p class="actions">${nextAction(request, state, sections)}</p>
      </section>
      ${waits(request.language, state)}`,
  })
}

export const overviewScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '', answer: withState(overview) },
]
