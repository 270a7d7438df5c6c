import { agreements, type Agreement } from '@causeway/contracts'
import {
  checkbox,
  definitionList,
  errorSummary,
  html,
  linkButton,
  notice,
  statusTag,
  submit,
  type Html,
} from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import type { Answer } from '../screen.ts'
import { goTo, onboardingPage, postForm, refusedAnswer, urlOf } from './frame.ts'
import type { OnboardingRequest, OnboardingScreen } from './request.ts'
import { withState, type OnboardingState } from './state.ts'

/** Acceptance channel in the evidence (spec: Agreement and acceptance). */
const CHANNEL = 'hosted_onboarding'

/** The version to accept: the current one, or the upcoming one if the current one is accepted. */
type Offered = Readonly<{ version: string; documentUrl: string; effectiveAt: string | null }>

const offeredOf = ({ status, version, document_url, upcoming }: Agreement): Offered | null => {
  if (status !== 'accepted') return { version, documentUrl: document_url, effectiveAt: null }
  return upcoming !== undefined && !upcoming.accepted
    ? { version: upcoming.version, documentUrl: upcoming.document_url, effectiveAt: upcoming.effective_at }
    : null
}

const tagOf = ({ text }: Language, agreement: Agreement): Html => {
  if (agreement.status !== 'accepted') return statusTag('neutral', text('agreement.toAccept'))
  return offeredOf(agreement) === null
    ? statusTag('good', text('file.accepted'))
    : statusTag('warning', text('agreement.newVersion'))
}

const agreementList = (request: OnboardingRequest, { agreements: all }: OnboardingState): Answer =>
  onboardingPage(request, {
    title: request.language.text('section.agreements'),
    main: html`${request.query.get('news') === 'accepted' && notice('good', request.language.text('agreement.acceptedNow'))}
      ${
        all.length === 0
          ? html`<p>${request.language.text('agreement.empty')}</p>`
          : html`<ul class="parts">
              ${all.map(
                (agreement) =>
                  html`<li>
                    <a href="${urlOf(request, `/agreements/${agreement.agreement_id}`)}"
                      ><bdi>${agreement.title}</bdi></a
                    >
                    ${tagOf(request.language, agreement)}
                  </li>`,
              )}
            </ul>`
      }
      <p class="actions">
        ${linkButton(urlOf(request, ''), request.language.text('start.overview'), 'quiet')}
      </p>`,
  })

const acceptForm = (
  request: OnboardingRequest,
  { agreement_id: id }: Agreement,
  { version, documentUrl, effectiveAt }: Offered,
  error: string | undefined,
): Html =>
  html`<p>
      <a href="${documentUrl}" target="_blank" rel="noopener"
        >${request.language.text('agreement.read', { version })}</a
      >
      ${effectiveAt !== null && html`<span class="hint">${request.language.rich('agreement.effective', { time: request.language.time(effectiveAt) })}</span>`}
    </p>
    ${postForm(
      request,
      `/agreements/${id}`,
      html`${checkbox({ name: 'accepted', label: request.language.text('agreement.statement'), isRequired: true, error })}
      ${submit(request.language.text('agreement.accept'))}`,
      { hidden: { agreement_version: version } },
    )}`

/**
 * Embeds the agreement if it is a PDF, drawn by a script; other files have only a link. `documentUrl` is on this site,
 * but its origin may differ from the browser's, so only its path is used.
 */
const viewer = ({ title }: Agreement, documentUrl: string): Html =>
  html`<div
    class="document"
    data-perhaps-pdf="${new URL(documentUrl).pathname}"
    role="region"
    aria-label="${title}"
    tabindex="0"
    hidden
  ></div>`

const acceptance = ({ text, time }: Language, { current_acceptance: accepted }: Agreement): Html =>
  accepted === null
    ? html``
    : notice(
        'good',
        text('agreement.accepted', { version: accepted.agreement_version }),
        time(accepted.accepted_at),
      )

const agreementPage =
  (error?: string) =>
  (request: OnboardingRequest, state: OnboardingState): Answer => {
    const agreement = state.agreements.find(({ agreement_id: id }) => id === request.params['agreementId'])
    if (agreement === undefined) return goTo(request, '/agreements')
    const { title, parties, disclosure, version, document_url: documentUrl } = agreement
    const offered = offeredOf(agreement)
    const { language } = request
    const { text } = language
    return onboardingPage(request, {
      title,
      status: error === undefined ? 200 : 422,
      scripts: ['pdf-viewer.js'],
      main: html`${error !== undefined && errorSummary({ accepted: error }, text('fault.nothingSaved'))}
        ${
          request.query.get('news') === 'replaced' &&
          notice('warning', text('agreement.replaced'), text('agreement.replaced.advice'))
        }
        <p><bdi>${disclosure}</bdi></p>
        ${definitionList(parties.map(({ role, name }) => ({ term: role, value: name })))}
        ${acceptance(language, agreement)} ${viewer(agreement, offered?.documentUrl ?? documentUrl)}
        ${
          offered === null
            ? html`<p>
                <a href="${documentUrl}" target="_blank" rel="noopener"
                  >${text('agreement.read', { version })}</a
                >
              </p>`
            : acceptForm(request, agreement, offered, error)
        }
        <p class="actions">${linkButton(urlOf(request, '/agreements'), text('agreement.all'), 'quiet')}</p>`,
    })
  }

const accept = async (request: OnboardingRequest): Promise<Answer> => {
  const { ask, link, form, evidence, now } = request
  const agreementId = request.params['agreementId'] ?? ''
  const version = form.get('agreement_version') ?? ''
  if (form.get('accepted') !== 'true')
    return withState(agreementPage(request.language.text('agreement.error')))(request)
  const reply = await ask(agreements.accept, {
    params: { customerId: link.customerId, agreementId },
    body: {
      agreement_version: version,
      acceptance_channel: CHANNEL,
      accepted_at: now.toISOString(),
      evidence: { ...evidence, statement: request.language.text('agreement.statement') },
    },
  })
  if (reply.ok) return goTo(request, '/agreements?news=accepted')
  if (reply.code === 'invalid_state') return goTo(request, `/agreements/${agreementId}?news=replaced`)
  // The agreement does not exist, or the form was not made by our page.
  if (reply.code === 'resource_not_found' || reply.code === 'invalid_request')
    return goTo(request, '/agreements')
  return refusedAnswer(reply.code, request)
}

export const agreementScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/agreements', answer: withState(agreementList) },
  { method: 'GET', path: '/agreements/:agreementId', answer: withState(agreementPage()) },
  { method: 'POST', path: '/agreements/:agreementId', answer: accept },
]
