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
  time,
  type Html,
  type Tone,
} from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { fileForm, goTo, onboardingPage, refusedAnswer } from './frame.ts'
import { documentWords } from './labels.ts'
import type { OnboardingRequest, OnboardingScreen, OnboardingUpload, UploadedDocument } from './request.ts'
import { takesDocuments, withState, type OnboardingState } from './state.ts'

const STATUS: Readonly<Record<Document['status'], readonly [Tone, string]>> = {
  uploaded: ['neutral', 'Uploaded'],
  accepted: ['good', 'Accepted'],
  rejected: ['bad', 'Rejected'],
}
const FILE = 'file'
const ACCEPTED = '.pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg'
const KIB = 1_024

const sizeText = (bytes: number): string =>
  bytes < KIB * KIB ? `${Math.ceil(bytes / KIB)} KB` : `${(bytes / KIB / KIB).toFixed(1)} MB`

/** Returns the URL of a document's file. @param path of the link */
const fileAddress = (path: string, { document_id: id }: Document): string => `${path}/documents/${id}/file`

/** Renders an uploaded file: images get a preview, other files a link. */
export const uploadedFile = ({ link }: OnboardingRequest, document: Document): Html => {
  const { file_name, file_size_bytes, mime_type, status, rejection_reason, uploaded_at } = document
  const [tone, text] = STATUS[status]
  const address = fileAddress(link.path, document)
  return html`<div>
    <p>
      ${statusTag(tone, text)} <a href="${address}">${file_name}</a>
      <span class="hint">${sizeText(file_size_bytes)}, ${time(uploaded_at)}</span>
    </p>
    ${rejection_reason !== null && html`<p class="error">${rejection_reason}</p>`}
    ${mime_type !== 'application/pdf' && html`<img class="preview" src="${address}" alt="Preview of ${file_name}" />`}
  </div>`
}

const latestOf = ({ documents }: OnboardingState, type: Document['document_type']): Document | undefined =>
  documents.findLast((document) => document.document_type === type)

const listRow = (
  request: OnboardingRequest,
  state: OnboardingState,
  type: Document['document_type'],
): Html => {
  const { title } = documentWords(type)
  const latest = latestOf(state, type)
  const [tone, text] = latest === undefined ? (['neutral', 'To do'] as const) : STATUS[latest.status]
  return html`<li>
    <span
      ><a href="${request.link.path}/documents/${type}">${title}</a>${
        latest !== undefined && html` <span class="hint">${latest.file_name}</span>`
      }</span
    >
    ${statusTag(tone, text)}
  </li>`
}

const documentList = (request: OnboardingRequest, state: OnboardingState): Answer =>
  onboardingPage(request, {
    title: 'Documents',
    main: html`<p>Upload a PDF or an image (PNG or JPEG) of each document, at most 10 MB.</p>
      <ul class="parts">
        ${REQUIRED_DOCUMENT_TYPES.map((type) => listRow(request, state, type))}
        ${latestOf(state, 'other') !== undefined && listRow(request, state, 'other')}
      </ul>
      <p class="actions">${linkButton(request.link.path, 'Overview', 'quiet')}</p>`,
  })

/** Renders the file control and its button, for a form with one file. @param error of the last upload */
export const fileControl = (label: string, error: string | undefined): Html => html`
  ${textField({
    name: FILE,
    label,
    hint: 'PDF, PNG or JPEG, at most 10 MB',
    type: 'file',
    accept: ACCEPTED,
    isRequired: true,
    error,
  })}
  <div data-file-preview></div>
  <p class="actions">${submit('Upload')}</p>
`

const FAULTS: Readonly<Record<string, string>> = {
  required: 'Choose a file.',
  too_small: 'This file is empty. Choose a different one.',
  unsupported_type: 'This file is not a PDF, PNG or JPEG, even if its name says so. Choose a different file.',
  too_many: 'Choose one file.',
}

const faultText = (details: readonly ErrorDetail[]): string =>
  details.flatMap((detail) => FAULTS[String(detail['reason'])] ?? [])[0] ??
  'The file did not arrive completely. Choose it again.'

const LATER = 'The file could not be uploaded, and nothing was changed. Wait a moment, then upload it again.'
const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = {
  payload_too_large: 'Choose a smaller file: at most 10 MB.',
  rate_limited: LATER,
  temporarily_unavailable: LATER,
  limit_reached: 'You have reached the maximum number of files. Contact the platform that sent you the link.',
}

/** Returns the error to show at the file control; null if a different file would not help. */
export const uploadError = ({
  code,
  details = [],
}: Extract<UploadedDocument, { ok: false }>): string | null =>
  code === 'invalid_request' || code === 'unsupported_media_type'
    ? faultText(details)
    : (REFUSALS[code] ?? null)

/** Answers a refused upload for which a different file would not help. */
export const refusedUpload = (
  request: OnboardingRequest,
  { code }: Extract<UploadedDocument, { ok: false }>,
): Answer => (code === 'invalid_state' ? goTo(request, '?news=closed') : refusedAnswer(code))

type TypePage = Readonly<{ error?: string }>

const typePage =
  ({ error }: TypePage = {}) =>
  (request: OnboardingRequest, state: OnboardingState): Answer => {
    const parsed = UploadedDocumentType.safeParse(request.params['documentType'])
    if (!parsed.success) return { kind: 'error', code: 'resource_not_found' }
    const type = parsed.data
    const { title, hint } = documentWords(type)
    const latest = latestOf(state, type)
    const isSaved = request.query.get('news') === 'uploaded'
    return onboardingPage(request, {
      title,
      status: error === undefined ? 200 : 422,
      main: html`${error !== undefined && errorSummary({ [FILE]: error })}
        ${isSaved && notice('good', 'Uploaded.', 'Check the preview below: it must be sharp and complete.')}
        <p>${hint}</p>
        ${latest !== undefined && uploadedFile(request, latest)}
        ${
          takesDocuments(state)
            ? fileForm(
                request,
                `/documents/${type}`,
                fileControl(latest === undefined ? 'File' : 'Replacement file', error),
                type,
              )
            : notice('neutral', 'You cannot upload files now: your application is under review.')
        }
        <p class="actions">
          ${linkButton(`${request.link.path}/documents`, 'All documents', isSaved ? 'primary' : 'quiet')}
        </p>`,
    })
  }

const answerUpload = async (request: OnboardingRequest, uploaded: UploadedDocument): Promise<Answer> => {
  if (uploaded.ok) return goTo(request, `/documents/${uploaded.value.document.document_type}?news=uploaded`)
  const error = uploadError(uploaded)
  return error === null ? refusedUpload(request, uploaded) : withState(typePage({ error }))(request)
}

export const documentScreens = (): OnboardingScreen[] => [
  { method: 'GET', path: '/documents', answer: withState(documentList) },
  { method: 'GET', path: '/documents/:documentType', answer: withState(typePage()) },
]

export const documentUploads = (): OnboardingUpload[] => [
  { path: '/documents/:documentType', answer: answerUpload },
]
