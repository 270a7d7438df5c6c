import { staffKeys, type StaffRole } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import { formWith, type FormState } from '../../form-state.ts'
import type { StaffRequest } from '../frame.ts'
import { oneTimeSecretPage } from '../one-time-secret.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../replies.ts'
import { PEOPLE_PATH, peoplePage } from './view.ts'

const show = async (request: StaffRequest, state: FormState, status = 200): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(staffKeys.list, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { staff_keys: keys, next_cursor: next } = reply.value
  return pageOf(peoplePage({ session, keys, page: pageLinks(PEOPLE_PATH, request, next), state }), status)
}

const create = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, form } = request
  const body = { name: form.get('name') ?? '', role: (form.get('role') ?? '') as StaffRole }
  const reply = await ask(staffKeys.create, { body })
  if (!reply.ok) return answerRefusedForm(reply, form, (state, status) => show(request, state, status))
  const { staff_key: key, key: secret } = reply.value
  return pageOf(
    oneTimeSecretPage({
      session,
      current: PEOPLE_PATH,
      title: `Key for ${key.name}`,
      advice: `Send it to ${key.name} through a secure channel.`,
      values: [{ term: 'Key', value: secret }],
      back: { href: PEOPLE_PATH, text: 'Back to people' },
    }),
  )
}

const revoke = async ({ ask, params }: StaffRequest): Promise<Answer> => {
  const reply = await ask(staffKeys.revoke, { params: { staffKeyId: params['staffKeyId'] ?? '' } })
  return reply.ok ? redirectTo(PEOPLE_PATH) : { kind: 'error', code: reply.code }
}

/** Staff keys and their roles. */
export const peopleScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: PEOPLE_PATH,
    answer: (request) => show(request, formWith()),
  }),
  sessionScreen('console', { method: 'POST', path: PEOPLE_PATH, answer: create }),
  sessionScreen('console', { method: 'POST', path: `${PEOPLE_PATH}/:staffKeyId/revoke`, answer: revoke }),
]
