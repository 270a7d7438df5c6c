import { html, submit } from '../design/index.ts'
import { ownSessionsTable } from '../own-sessions.ts'
import { pageOf, redirectTo } from '../replies.ts'
import type { Answer } from '../screen.ts'
import { portalForm, portalPage, SESSIONS_PATH, type PortalRequest } from './frame.ts'

export const listSessions = async ({ session }: PortalRequest): Promise<Answer> => {
  const own = ownSessionsTable(await session.listOwn(), (id) =>
    portalForm(session, `${SESSIONS_PATH}/${id}/end`, submit('End session', 'quiet')),
  )
  return pageOf(
    portalPage({
      session,
      current: SESSIONS_PATH,
      title: 'Sessions',
      main: html`<h1>Sessions</h1>
        <p>Browsers that are signed in as the ${session.principal.kind}.</p>
        ${own}`,
    }),
  )
}

export const endSession = async (request: PortalRequest): Promise<Answer> =>
  (await request.session.endOwn(request.params['sessionId'] ?? ''))
    ? redirectTo(SESSIONS_PATH)
    : { kind: 'error', code: 'resource_not_found' }
