import { audit } from '@causeway/contracts'
import { sessionScreen, type Answer, type Screen } from '../../screen.ts'
import type { StaffRequest } from '../frame.ts'
import { readNames } from '../names.ts'
import { cursorOf, pageLinks } from '../../paging.ts'
import { pageOf } from '../../replies.ts'
import { AUDIT_PATH, auditPage, type AuditFilter } from './view.ts'

/** Few enough to stay readable: an entry has up to two states of 64 KiB. */
const ENTRIES_A_PAGE = 20

const filterOf = ({ query }: StaffRequest): AuditFilter => {
  const textOf = (name: string) => (query.get(name) ?? '').trim()
  return {
    actor: textOf('actor'),
    action: textOf('action'),
    target: textOf('target'),
    order: query.get('order') === 'oldest' ? 'oldest' : 'newest',
  }
}

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const filter = filterOf(request)
  const named = Object.entries(filter).filter(([, value]) => value !== '')
  const query = { limit: ENTRIES_A_PAGE, ...cursorOf(request), ...Object.fromEntries(named) }
  const reply = await ask(audit.list, { query })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { entries, next_cursor: next } = reply.value
  const names = await readNames(
    request,
    entries.map((entry) => entry.target),
  )
  return pageOf(auditPage({ session, entries, names, filter, page: pageLinks(AUDIT_PATH, request, next) }))
}

/** The audit log. */
export const auditScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: AUDIT_PATH, answer: list }),
]
