import { ERRORS, type ErrorCode, type ErrorDetail, type StaffRole } from '@causeway/contracts'
import type { Html } from '../design/index.ts'
import type { Answer } from '../screen.ts'
import { isAboutForm, refusedForm, type FormState } from './form-state.ts'
import type { StaffSession } from './frame.ts'

export const pageOf = (html: Html, status = 200): Answer => ({ kind: 'page', status, html })

export const redirectTo = (to: string): Answer => ({ kind: 'redirect', to })

type Refused = Readonly<{ ok: false; code: ErrorCode; details?: readonly ErrorDetail[] }>

/**
 * Answers a form whose operation was refused: with the form and what is wrong in it, or with an error page where nothing
 * that was entered is to blame.
 * @param show the page of the form
 */
export const answerRefusedForm = async (
  refused: Refused,
  entered: URLSearchParams,
  show: (state: FormState, status: number) => Answer | Promise<Answer>,
): Promise<Answer> =>
  isAboutForm(refused.code)
    ? show(refusedForm(entered, refused), ERRORS[refused.code].status)
    : { kind: 'error', code: refused.code }

/** Whether a session's role may do what needs another: as the gateway decides it (decisions §14). It decides again. */
export const mayDo = ({ principal: { role } }: StaffSession, needed: StaffRole): boolean =>
  role === 'admin' || role === needed || needed === 'viewer'
