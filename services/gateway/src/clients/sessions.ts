import type { ServiceClient } from '@causeway/chassis'
import { accessSessions, type Principal, type SignOut, type StaffRole } from '@causeway/contracts'
import type { OpenedSession, OwnSession } from '@causeway/screens'
import { createAsk } from './access.ts'

type Opened = Readonly<{ token: string; expires_at: string; principal: Principal }>

const openedOf = ({ token, expires_at, principal }: Opened): OpenedSession => ({
  token,
  expiresAt: new Date(expires_at),
  principal,
})

/** Sessions of the screens, which access keeps (decisions §42). */
export const createSessions = (askAccess: ServiceClient) => {
  const ask = createAsk(askAccess)
  return {
    /** Null for a link that is used, ended, expired or unknown alike. */
    async openByPortalLink(token: string): Promise<OpenedSession | null> {
      const { opened } = await ask(accessSessions.openByPortalLink, { token })
      return opened && openedOf(opened)
    },
    openForStaff: async (actor: string, role: StaffRole): Promise<OpenedSession> =>
      openedOf((await ask(accessSessions.openForStaff, { actor, role })).opened),
    /** Whom a session acts for now; null for one that has expired or ended, or that never was. */
    find: async (token: string): Promise<Principal | null> =>
      (await ask(accessSessions.find, { token, knows_people: true })).principal,
    end: async (token: string, reason: SignOut): Promise<void> => {
      await ask(accessSessions.endByToken, { token, reason })
    },
    async listOwn(principal: Principal): Promise<OwnSession[]> {
      const { sessions } = await ask(accessSessions.listOwn, { principal })
      return sessions.map((session) => ({
        sessionId: session.session_id,
        createdAt: new Date(session.created_at),
        lastSeenAt: new Date(session.last_seen_at),
        expiresAt: new Date(session.expires_at),
      }))
    },
    /** False for a session that is not one of {@link listOwn}. */
    endOwn: async (principal: Principal, sessionId: string): Promise<boolean> =>
      (await ask(accessSessions.endOwn, { principal, session_id: sessionId })).ended,
  }
}

export type Sessions = ReturnType<typeof createSessions>
