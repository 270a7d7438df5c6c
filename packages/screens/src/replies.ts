import { ERRORS, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import type { Html } from './design/index.ts'
import { isAboutForm, refusedForm, type FormState } from './form-state.ts'
import type { Answer } from './screen.ts'

export const pageOf = (html: Html, status = 200): Answer => ({ kind: 'page', status, html })

export const redirectTo = (to: string): Answer => ({ kind: 'redirect', to })

export type Refused = Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/**
 * Answers a form whose operation was refused: shows the form with its errors, or an error page if the entered values
 * are not the cause.
 * @param show renders the form's page
 */
export const answerRefusedForm = async (
  refused: Refused,
  entered: URLSearchParams,
  show: (state: FormState, status: number) => Answer | Promise<Answer>,
): Promise<Answer> =>
  isAboutForm(refused.code)
    ? show(refusedForm(entered, refused), ERRORS[refused.code].status)
    : { kind: 'error', code: refused.code }
