import { agreements } from '@causeway/contracts'
import type { z } from 'zod'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { utcTimeOr } from '../../time-input.ts'
import { AGREEMENTS_PATH, agreementsPage, publishPage } from './view.ts'

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(agreements.listByStaff, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { versions, next_cursor: next } = reply.value
  return pageOf(agreementsPage({ session, versions, page: pageLinks(AGREEMENTS_PATH, request, next) }))
}

/** Shows the form with the agreements of the newest 100 versions, because a platform has only a few. */
const showForm = async ({ ask, session }: StaffRequest, state: FormState, status = 200): Promise<Answer> => {
  const reply = await ask(agreements.listByStaff, { query: { limit: '100' } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const titles = new Map(
    reply.value.versions.toReversed().map((version) => [version.agreement_id, version.title]),
  )
  const current = [...titles].map(([agreementId, title]) => ({ agreementId, title }))
  return pageOf(publishPage(session, current, state), status)
}

/** Encodes a text as base64 UTF-8, the format of a document. */
const base64Of = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

const partiesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [role = '', ...name] = line.split(':')
      return { role: role.trim(), name: name.join(':').trim() }
    })

const publicationOf = (form: URLSearchParams): z.input<(typeof agreements)['publish']['body']> => {
  const textOf = (name: string) => (form.get(name) ?? '').trim()
  const optional = (name: string) => (textOf(name) === '' ? {} : { [name]: textOf(name) })
  return {
    title: textOf('title'),
    version: textOf('version'),
    effective_date: textOf('effective_date'),
    parties: partiesOf(textOf('parties')),
    disclosure: textOf('disclosure'),
    content_base64: base64Of(form.get('content_base64') ?? ''),
    ...optional('agreement_id'),
    ...(textOf('effective_at') !== '' && { effective_at: utcTimeOr(textOf('effective_at')) }),
  }
}

const publish = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const reply = await ask(agreements.publish, { body: publicationOf(form) })
  return reply.ok
    ? redirectTo(AGREEMENTS_PATH)
    : answerRefusedForm(reply, form, (state, status) => showForm(request, state, status))
}

const retire = async ({ ask, params }: StaffRequest): Promise<Answer> => {
  const reply = await ask(agreements.retire, { params: { agreementId: params['agreementId'] ?? '' } })
  return reply.ok ? redirectTo(AGREEMENTS_PATH) : { kind: 'error', code: reply.code }
}

/** Agreements: their versions, publishing and retiring. */
export const agreementScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: AGREEMENTS_PATH, answer: list }),
  sessionScreen('console', {
    method: 'GET',
    path: `${AGREEMENTS_PATH}/new`,
    answer: (request) => showForm(request, formWith()),
  }),
  sessionScreen('console', { method: 'POST', path: `${AGREEMENTS_PATH}/new`, answer: publish }),
  sessionScreen('console', {
    method: 'POST',
    path: `${AGREEMENTS_PATH}/:agreementId/retire`,
    answer: retire,
  }),
]
