import { implement, keysetList, OLDEST_FIRST, refuse, reply, type Queryable } from '@causeway/chassis'
import { accessSessions, sessions, type ScreenSession } from '@causeway/contracts'
import { appendEnd } from '../audit/store.ts'
import type { AccessContext } from '../context.ts'
import { endByOrigin, endOfOwner, recordEnded, type Ended } from './ending.ts'
import { createSessions } from './sessions.ts'
import { endSessionById, listSessions, type SessionRecord } from './store.ts'

const present = (session: SessionRecord): ScreenSession => ({
  session_id: session.sessionId,
  kind: session.kind,
  subject: session.subject,
  role: session.role,
  origin: session.origin,
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
})

type Whose = Readonly<{
  actor?: string | undefined
  partner_id?: string | undefined
  customer_id?: string | undefined
}>

const ownerOf = ({ partner_id: partnerId, customer_id: merchantId }: Whose) => {
  if (partnerId !== undefined) return { kind: 'partner', subject: partnerId } as const
  return merchantId === undefined ? null : ({ kind: 'merchant', subject: merchantId } as const)
}

type Options = Readonly<{ staffIdleAfterMs: number }>

/** `gateway.sessions` (decisions §42). */
export const sessionOperations = (
  { db, clock, cursors }: Pick<AccessContext, 'db' | 'clock' | 'cursors'>,
  { staffIdleAfterMs }: Options,
) => {
  const keysetOf = (whose: Whose) =>
    keysetList(cursors, {
      name: `sessions:${JSON.stringify([whose.actor, whose.partner_id, whose.customer_id])}`,
      order: OLDEST_FIRST,
    })

  const endAllOf = (
    tx: Queryable,
    whose: Whose,
    by: Readonly<{ now: Date; actor: string }>,
  ): Promise<Ended> => {
    const ending = { ...by, reason: 'ended_by_staff' } as const
    const owner = ownerOf(whose)
    return owner === null ? endByOrigin(tx, whose.actor ?? '', ending) : endOfOwner(tx, owner, ending)
  }

  return implement(sessions, {
    async list({ query: { cursor, limit, ...whose } }) {
      const keyset = keysetOf(whose)
      const from = keyset.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const owner = ownerOf(whose)
      const rows = await listSessions(db, {
        origin: whose.actor ?? null,
        kind: owner?.kind ?? null,
        subject: owner?.subject ?? null,
        now: clock.now(),
        staffSeenAfter: new Date(clock.nowMs() - staffIdleAfterMs),
        afterAt: from.at,
        afterId: from.id,
        limit: limit + 1,
      })
      const { items, nextCursor } = keyset.page({
        rows,
        limit,
        present,
        positionOf: (row) => ({ at: row.createdAt, id: row.sessionId }),
      })
      return reply({ sessions: items, next_cursor: nextCursor })
    },

    end: ({ params: { sessionId }, caller: { actor }, requestId, now }) =>
      db.transaction(async (tx) => {
        const reason = 'ended_by_staff'
        const ended = await endSessionById(tx, {
          sessionId,
          kind: null,
          subject: null,
          origin: null,
          now,
          reason,
        })
        const [session] = ended
        if (session === undefined) return refuse('resource_not_found')
        await recordEnded(tx, ended, { now, reason, actor })
        await appendEnd(tx, { requestId, before: { session: present(session) }, after: null })
        return reply({})
      }),

    endAll: ({ body, caller: { actor }, requestId, now }) =>
      db.transaction(async (tx) => {
        const ended = await endAllOf(tx, body, { now, actor })
        const after = { ended_sessions: ended.sessions, ended_links: ended.links }
        await appendEnd(tx, { requestId, before: null, after: { ...body, ...after } })
        return reply(after)
      }),
  })
}

type OfScreensOptions = Readonly<{ operatorActor: string; staffIdleAfterMs: number }>

/** `access.sessions` (decisions §42). */
export const screenSessionOperations = (
  { db, clock }: Pick<AccessContext, 'db' | 'clock'>,
  options: OfScreensOptions,
) => {
  const kept = createSessions({ db, clock, ...options })
  const presentOpened = ({ token, expiresAt, principal }: Awaited<ReturnType<typeof kept.openForStaff>>) => ({
    token,
    expires_at: expiresAt.toISOString(),
    principal,
  })
  return implement(accessSessions, {
    async openByPortalLink({ body: { token } }) {
      const opened = await kept.openByPortalLink(token)
      return reply({ opened: opened && presentOpened(opened) })
    },
    openForStaff: async ({ body: { actor, role } }) =>
      reply({ opened: presentOpened(await kept.openForStaff(actor, role)) }),
    find: async ({ body: { token, knows_people: knowsPeople = false } }) =>
      reply({ principal: await kept.find(token, knowsPeople) }),
    async endByToken({ body: { token, reason } }) {
      await kept.end(token, reason)
      return reply({})
    },
    async listOwn({ body: { principal } }) {
      const own = await kept.listOwn(principal)
      return reply({
        sessions: own.map(({ sessionId, createdAt, lastSeenAt, expiresAt }) => ({
          session_id: sessionId,
          created_at: createdAt.toISOString(),
          last_seen_at: lastSeenAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        })),
      })
    },
    endOwn: async ({ body: { principal, session_id: sessionId } }) =>
      reply({ ended: await kept.endOwn(principal, sessionId) }),
  })
}
