import { createHash } from 'node:crypto'
import { createClock } from '@causeway/chassis'
import { openTestDb } from '@causeway/chassis/testing'
import { createSessions } from '../../src/sessions/sessions.ts'
import {
  BASE_URL,
  newPartner,
  openFixture,
  OPERATOR_KEY,
  type Answer,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

export const MINUTE_MS = 60_000
/** Name of the tests' operator key in the audit log. */
export const OPERATOR_ACTOR = `operator:${createHash('sha256').update(OPERATOR_KEY).digest('hex').slice(0, 8)}`
const LINK = new RegExp(`^${BASE_URL}/portal/([\\w-]{43})$`)

type PortalLink = Readonly<{ portal_link: { url: string; expires_at: string } }>
export const linkIn = ({ data }: Answer) => (data as unknown as PortalLink).portal_link
export const tokenIn = (answer: Answer): string => LINK.exec(linkIn(answer).url)?.[1] ?? ''

/** A gateway and access's sessions, with a clock that only the test moves. */
export const startSessions = async () => {
  const startedMs = Date.now()
  const clock = createClock(() => startedMs)
  const fixture = await openFixture(clock)
  const gateway = await fixture.startReplica()
  const db = openTestDb(fixture.databaseUrl, clock)
  const sessionsOf = (operatorActor: string) =>
    createSessions({ db, clock, operatorActor, staffIdleAfterMs: 30 * MINUTE_MS })
  return {
    clock,
    fixture,
    gateway,
    sessionsOf,
    sessions: sessionsOf(OPERATOR_ACTOR),
    /** A new partner, and the token of a link to its portal. */
    partnerLink: async () => {
      const { partner } = await newPartner(gateway)
      const made = await gateway.operate('POST', `/partners/${partner.partner_id}/portal-links`)
      return { partnerId: partner.partner_id, made, token: tokenIn(made) }
    },
    async close() {
      await db.close()
      await fixture.close()
    },
  }
}
export type StartedSessions = Awaited<ReturnType<typeof startSessions>>
