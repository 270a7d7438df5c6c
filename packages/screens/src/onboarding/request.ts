import type { Document } from '@causeway/contracts'
import type { ErrorCode, ErrorDetail } from '@causeway/contracts'
import type { PageBrand } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import type { Answer, Ask } from '../screen.ts'

/** The opened onboarding link. */
export type OnboardingLink = Readonly<{
  /** Path of the first page; contains the token. */
  path: string
  customerId: string
  /** The name of the partner's brand, or else the partner's. */
  partnerName: string
  brand: PageBrand
  /** URL to return to; https. */
  returnUrl: string | null
}>

/** A request to a screen of the hosted onboarding. `ask` is limited to what the link allows, for its customer. */
export type OnboardingRequest = Readonly<{
  ask: Ask
  link: OnboardingLink
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  form: URLSearchParams
  /** Value of the field {@link FORM_TOKEN} of every form. */
  formToken: string
  /** Details about the user from the request, for the evidence of acceptances. */
  evidence: Readonly<Record<string, string>>
  language: Language
  /** True if the URL names the language: links and forms keep it then. */
  isLanguageInUrl: boolean
  /** URL path of the page, which can be opened by GET. */
  pagePath: string
  now: Date
}>

/** A page or form of the hosted onboarding. `path` is relative to `/onboarding/:token`. */
export type OnboardingScreen = Readonly<{
  method: 'GET' | 'POST'
  path: string
  answer: (request: OnboardingRequest) => Promise<Answer>
}>

/** The result of a file upload. */
export type UploadedDocument =
  | Readonly<{ ok: true; value: Readonly<{ document: Document }> }>
  | Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/** A file form whose file the gateway has received. The form token is in the query. */
export type OnboardingUpload = Readonly<{
  path: string
  answer: (request: OnboardingRequest, uploaded: UploadedDocument) => Promise<Answer>
}>
