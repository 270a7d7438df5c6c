import type { Document } from '@causeway/contracts'
import type { ErrorCode, ErrorDetail } from '@causeway/contracts'
import type { Answer, Ask } from '../screen.ts'

/** What a link has opened. */
export type OnboardingLink = Readonly<{
  /** The path of its first page; holds the token. */
  path: string
  customerId: string
  partnerName: string
  /** Where the merchant goes back to; https. */
  returnUrl: string | null
}>

/** What a screen of the hosted onboarding sees. `ask` does what the link allows, for its own customer. */
export type OnboardingRequest = Readonly<{
  ask: Ask
  link: OnboardingLink
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  form: URLSearchParams
  /** Value of the field {@link FORM_TOKEN} of every form. */
  formToken: string
  /** Who acts, as far as the request tells: it goes into the evidence of acceptances. */
  evidence: Readonly<Record<string, string>>
  now: Date
}>

/** A page or form of the hosted onboarding. @param path below `/onboarding/:token` */
export type OnboardingScreen = Readonly<{
  method: 'GET' | 'POST'
  path: string
  answer: (request: OnboardingRequest) => Promise<Answer>
}>

/** What became of the file of a form. */
export type UploadedDocument =
  | Readonly<{ ok: true; value: Readonly<{ document: Document }> }>
  | Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/** A form with a file, which the gateway has received; its token is in the query of its address. */
export type OnboardingUpload = Readonly<{
  path: string
  answer: (request: OnboardingRequest, uploaded: UploadedDocument) => Promise<Answer>
}>
