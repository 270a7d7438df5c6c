import {
  REQUIRED_DOCUMENT_TYPES,
  UploadedDocumentType,
  type Document,
  type ErrorCode,
  type ErrorDetail,
} from '@causeway/contracts'
import {
  errorSummary,
  html,
  linkButton,
  notice,
  statusTag,
  submit,
  textField,
  type Html,
  type Tone,
} from '../design/index.ts'
import type { Language, MessageId } from '../languages/language.ts'
import type { Answer } from '../screen.ts'
import { fileForm, goTo, onboardingPage, refusedAnswer, urlOf } from './frame.ts'
import { documentWords } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen, OnboardingUpload, UploadedDocument } from './request.ts'
import { takesDocuments, withState, type OnboardingState } from './state.ts'

const TONES: Readonly<Record<Document['status'], Tone>> = {
  uploaded: 'neutral',
  accepted: 'good',
  rejected: 'bad',
}

const statusOf = ({ text }: Language, { status }: Document): Html =>
  statusTag(TONES[status], text(`file.${status}`))

const FILE = 'file'
const ACCEPTED = '.pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg'
const KIB = 1_024

const sizeText = ({ number }: Language, bytes: number): string =>
  bytes < KIB * KIB
    ? `${number(Math.ceil(bytes / KIB))} KB`
    : `${number(Math.round((bytes / KIB / KIB) * 10) / 10)} MB`

/** Returns the URL of a document's file. @param path of the link */
const fileAddress = (path: string, { document_id: id }: Document): string => `${path}/documents/${id}/file`

/** Renders an uploaded file: images get a preview, other files a link. */
export const uploadedFile = ({ link, language }: OnboardingRequest, document: Document): Html => {
  const { file_name, file_size_bytes, mime_type, rejection_reason, uploaded_at } = document
  const address = fileAddress(link.path, document)
  return html`<div>
    <p>
      ${statusOf(language, document)} <a href="${address}"><bdi>${file_name}</bdi></a>
      <span class="hint"
        ><bdi dir="ltr">${sizeText(language, file_size_bytes)}</bdi>, ${language.time(uploaded_at)}</span
      >
    </p>
    ${rejection_reason !== null && html`<p class="error"><bdi>${rejection_reason}</bdi></p>`}
    ${mime_type !== 'application/pdf' && html`<img class="preview" src="${address}" alt="${language.text('file.preview', { name: file_name })}" />`}
  </div>`
}

const latestOf = ({ documents }: OnboardingState, type: Document['document_type']): Document | undefined =>
  documents.findLast((document) => document.document_type === type)

const listRow = (
  request: OnboardingRequest,
  state: OnboardingState,
  type: Document['document_type'],
): Html => {
  const { language } = request
  const { title } = documentWords(language, type)
  const latest = latestOf(state, type)
  return html`<li>
    <span
      ><a href="${urlOf(request, `/documents/${type}`)}">${title}</a>${
        latest !== undefined && html` <span class="hint"><bdi>${latest.file_name}</bdi></span>`
      }</span
    >
    ${latest === undefined ? statusTag('neutral', language.text('section.empty')) : statusOf(language, latest)}
  </li>`
}

const documentList = (request: OnboardingRequest, state: OnboardingState): Answer =>
  onboardingPage(request, {
    title: request.language.text('section.documents'),
    main: html`<p>${request.language.text('file.intro')}</p>
      <ul class="parts">
        ${REQUIRED_DOCUMENT_TYPES.map((type) => listRow(request, state, type))}
        ${latestOf(state, 'other') !== undefined && listRow(request, state, 'other')}
      </ul>
      <p class="actions">
        ${linkButton(urlOf(request, ''), request.language.text('start.overview'), 'quiet')}
      </p>`,
  })

/** Renders the file control and its button, for a form with one file. @param error of the last upload */
export const fileControl = (language: Language, label: string, error: string | undefined): Html => html`
  ${textField({
    name: FILE,
    label,
    hint: language.text('file.limits'),
    language,
    type: 'file',
    accept: ACCEPTED,
    isRequired: true,
    error,
  })}
  <div data-file-preview></div>
  <p class="actions">${submit(language.text('file.upload'))}</p>
`

const FAULTS: Readonly<Record<string, MessageId>> = {
  required: 'file.fault.required',
  too_small: 'file.fault.too_small',
  unsupported_type: 'file.fault.unsupported_type',
  too_many: 'file.fault.too_many',
}

const faultOf = (details: readonly ErrorDetail[]): MessageId =>
  details.flatMap((detail) => FAULTS[String(detail['reason'])] ?? [])[0] ?? 'file.fault.incomplete'

const REFUSALS: Readonly<Partial<Record<ErrorCode, MessageId>>> = {
  payload_too_large: 'file.fault.tooLarge',
  rate_limited: 'file.fault.later',
  temporarily_unavailable: 'file.fault.later',
  limit_reached: 'file.fault.limit',
}

/** Returns the error to show at the file control; null if a different file would not help. */
export const uploadError = (
  { text }: Language,
  { code, details = [] }: Extract<UploadedDocument, { ok: false }>,
): string | null => {
  const isAboutFile = code === 'invalid_request' || code === 'unsupported_media_type'
  const id = isAboutFile ? faultOf(details) : REFUSALS[code]
  return id === undefined ? null : text(id)
}

/** Answers a refused upload for which a different file would not help. */
export const refusedUpload = (
  request: OnboardingRequest,
  { code }: Extract<UploadedDocument, { ok: false }>,
): Answer => (code === 'invalid_state' ? goTo(request, '?news=closed') : refusedAnswer(code, request))

type TypePage = Readonly<{ error?: string }>

const typePage =
  ({ error }: TypePage = {}) =>
  (request: OnboardingRequest, state: OnboardingState): Answer => {
    const parsed = UploadedDocumentType.safeParse(request.params['documentType'])
    if (!parsed.success) return { kind: 'error', code: 'resource_not_found' }
    const type = parsed.data
    const { language } = request
    const { text } = language
    const { title, hint } = documentWords(language, type)
    const latest = latestOf(state, type)
    const isSaved = request.query.get('news') === 'uploaded'
    return onboardingPage(request, {
      title,
      status: error === undefined ? 200 : 422,
      main: html`${error !== undefined && errorSummary({ [FILE]: error }, text('fault.nothingSaved'))}
        ${isSaved && notice('good', text('file.uploaded'), text('file.check'))}
        <p>${hint}</p>
        ${latest !== undefined && uploadedFile(request, latest)}
        ${
          takesDocuments(state)
            ? fileForm(
                request,
                `/documents/${type}`,
                fileControl(language, text(latest === undefined ? 'file.file' : 'file.replacement'), error),
                type,
              )
            : notice('neutral', text('file.closed'))
        }
        <p class="actions">
          ${linkButton(urlOf(request, '/documents'), text('file.all'), isSaved ? 'primary' : 'quiet')}
        </p>`,
    })
  }

const answerUpload = async (request: OnboardingRequest, uploaded: UploadedDocument): Promise<Answer> => {
  if (uploaded.ok) return goTo(request, `/documents/${uploaded.value.document.document_type}?news=uploaded`)
  const error = uploadError(request.language, uploaded)
  return error === null ? refusedUpload(request, uploaded) : withState(typePage({ error }))(request)
}

export const documentScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/documents', answer: withState(documentList) },
  { method: 'GET', path: '/documents/:documentType', answer: withState(typePage()) },
]

export const documentUploads = (): OnboardingUpload[] => [
  { path: '/documents/:documentType', answer: answerUpload },
]
