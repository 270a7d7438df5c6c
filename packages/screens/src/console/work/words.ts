import type { CryptoOrderStatus, DocumentStatus, Requirement, VerificationStatus } from '@causeway/contracts'
import { html, statusTag, taggedStatus, type Html, type Tone } from '../../design/index.ts'

/** Converts an API code to words: `document_illegible` becomes "Document illegible". */
export const wordsOf = (code: string): string => {
  const text = code.replaceAll(/[._]/g, ' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

type Words<S extends string> = Readonly<Record<S, readonly [tone: Tone, text: string]>>

const CASE_WORDS: Words<VerificationStatus> = {
  draft: ['neutral', 'Not submitted'],
  pending: ['warning', 'To review'],
  approved: ['good', 'Approved'],
  rejected: ['bad', 'Rejected'],
}
export const caseTag = (status: VerificationStatus): Html => taggedStatus(CASE_WORDS, status)

const DOCUMENT_WORDS: Words<DocumentStatus> = {
  uploaded: ['warning', 'To review'],
  accepted: ['good', 'Accepted'],
  rejected: ['bad', 'Rejected'],
}
export const documentTag = (status: DocumentStatus): Html => taggedStatus(DOCUMENT_WORDS, status)

const REQUIREMENT_WORDS: Words<Requirement['status']> = {
  open: ['warning', 'Open'],
  fulfilled: ['warning', 'Answered'],
  satisfied: ['good', 'Satisfied'],
  cancelled: ['neutral', 'Cancelled'],
}
export const requirementTag = (status: Requirement['status']): Html => taggedStatus(REQUIREMENT_WORDS, status)

const ORDER_TONES: Readonly<Partial<Record<CryptoOrderStatus | 'completed' | 'chargeback', Tone>>> = {
  paid: 'good',
  completed: 'good',
  underpaid: 'warning',
  chargeback: 'bad',
}
/** Renders the status of a crypto or card order. */
export const orderTag = (status: string): Html =>
  statusTag(ORDER_TONES[status as keyof typeof ORDER_TONES] ?? 'neutral', wordsOf(status))

/** A link whose text is an id. */
/** A person in the console: the name of a staff key with its id, or what the audit log calls another actor. */
export const personOf = (actor: string, name: string | null | undefined): Html =>
  name == null ? html`<code>${actor}</code>` : html`${name} <code>${actor}</code>`

export const idLink = (href: string, id: string): Html => html`<a href="${href}"><code>${id}</code></a>`
