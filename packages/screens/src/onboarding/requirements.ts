import { requirements, type Requirement } from '@causeway/contracts'
import { errorSummary, html, linkButton, notice, submit, type Html } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import type { Answer } from '../screen.ts'
import { fileControl, refusedUpload, uploadedFile, uploadError } from './documents.ts'
import { fileForm, goTo, onboardingPage, postForm, refusedAnswer, urlOf } from './frame.ts'
import { documentWords } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen, OnboardingUpload, UploadedDocument } from './request.ts'
import { withState, type OnboardingState } from './state.ts'

const paramsOf = ({ link, params }: OnboardingRequest) => ({
  customerId: link.customerId,
  requirementId: params['requirementId'] ?? '',
})

const answered = ({ text }: Language): Html =>
  notice('good', text('request.answered'), text('request.answered.advice'))

const fileAnswer = (
  request: OnboardingRequest,
  { requirement_id: id, document_type }: Requirement,
  error: string | undefined,
): Html => {
  const type = document_type ?? 'other'
  const { language } = request
  const { title, hint } = documentWords(language, type)
  return html`${type !== 'other' && html`<p>${title}: ${hint}</p>`}
  ${fileForm(request, `/requirements/${id}/document`, fileControl(language, language.text('file.file'), error), type)}`
}

/** Renders the form that confirms a requirement that is met on a different page, or was met before. */
const doneForm = (request: OnboardingRequest, { requirement_id: id }: Requirement): Html =>
  html`<p>${request.language.text('request.confirmBelow')}</p>
    ${postForm(request, `/requirements/${id}`, submit(request.language.text('request.confirm'), 'quiet'))}`

const openRequirement = (
  request: OnboardingRequest,
  requirement: Requirement,
  error: string | undefined,
): Html => {
  if (requirement.kind === 'document') return fileAnswer(request, requirement, error)
  if (requirement.kind === 'field') return doneForm(request, requirement)
  return html`<p>${request.language.text('request.explain')}</p>
    ${fileAnswer(request, requirement, error)} ${doneForm(request, requirement)}`
}

const sentDocument = (
  request: OnboardingRequest,
  state: OnboardingState,
  { document_id: id }: Requirement,
) => {
  const document = state.documents.find(({ document_id: found }) => found === id)
  return document !== undefined && uploadedFile(request, document)
}

const requirementPage =
  (error?: string) =>
  (request: OnboardingRequest): Promise<Answer> =>
    withState(async (_, state) => {
      const reply = await request.ask(requirements.get, { params: paramsOf(request) })
      if (!reply.ok)
        return reply.code === 'resource_not_found' ? goTo(request, '') : refusedAnswer(reply.code, request)
      const { requirement } = reply.value
      const { message, status, due_at } = requirement
      const { language } = request
      return onboardingPage(request, {
        title: language.text('request.title'),
        status: error === undefined ? 200 : 422,
        main: html`${error !== undefined && errorSummary({ file: error }, language.text('fault.nothingSaved'))}
          <div class="sheet">
            <p><bdi>${message}</bdi></p>
            ${due_at !== null && html`<p class="hint">${language.rich('pay.until', { time: language.time(due_at) })}</p>`}
          </div>
          ${status === 'open' ? openRequirement(request, requirement, error) : answered(language)}
          ${sentDocument(request, state, requirement)}
          <p class="actions">${linkButton(urlOf(request, ''), language.text('start.overview'), 'quiet')}</p>`,
      })
    })(request)

const fulfil = async (request: OnboardingRequest, documentId?: string): Promise<Answer> => {
  const reply = await request.ask(requirements.update, {
    params: paramsOf(request),
    body: { status: 'fulfilled', ...(documentId !== undefined && { document_id: documentId }) },
  })
  // Another device has answered it, or it was withdrawn: the overview shows the open ones.
  if (reply.ok || reply.code === 'invalid_state' || reply.code === 'resource_not_found')
    return goTo(request, reply.ok ? '?news=answered' : '')
  return refusedAnswer(reply.code, request)
}

const answerUpload = async (request: OnboardingRequest, uploaded: UploadedDocument): Promise<Answer> => {
  if (uploaded.ok) return fulfil(request, uploaded.value.document.document_id)
  const error = uploadError(request.language, uploaded)
  return error === null ? refusedUpload(request, uploaded) : requirementPage(error)(request)
}

export const requirementScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/requirements/:requirementId', answer: requirementPage() },
  { method: 'POST', path: '/requirements/:requirementId', answer: (request) => fulfil(request) },
]

export const requirementUploads = (): OnboardingUpload[] => [
  { path: '/requirements/:requirementId/document', answer: answerUpload },
]
