import { z } from 'zod'
import { del, get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, text, Timestamp } from '../primitives.ts'
import { StaffRole } from './staff-roles.ts'

const ACTOR_LENGTH = 300

/** A live session of the console or the portal. */
export const ScreenSession = z.object({
  session_id: idOf('session'),
  kind: z.enum(['staff', 'partner', 'merchant']),
  subject: z
    .string()
    .meta({ description: 'The partner or merchant; for staff the person as in the audit log' }),
  role: StaffRole.nullable(),
  origin: z.string().nullable().meta({
    description:
      'Credential that opened the session or its link: an API key, a staff key, a person, or the operator key',
  }),
  created_at: Timestamp,
  last_seen_at: Timestamp.meta({ description: 'Accurate to a minute' }),
  expires_at: Timestamp,
})
export type ScreenSession = z.infer<typeof ScreenSession>

export const ScreenSessionList = z.object({ sessions: z.array(ScreenSession), next_cursor: NextCursor })

/** Owner of the sessions to end: one person, partner or merchant. */
const EndSessions = z
  .strictObject({
    actor: text(ACTOR_LENGTH).optional(),
    partner_id: idOf('partner').optional(),
    customer_id: idOf('merchant').optional(),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
    path: ['actor'],
    params: { reason: 'invalid_value', expected: 'exactly one of actor, partner_id and customer_id' },
  })

/** `gateway.sessions`: sessions of people on the screens (decisions §42). */
export const sessions = resource('gateway.sessions', {
  list: operation({
    operationId: 'listSessions',
    http: get('/sessions'),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'List the active sessions of the console and the portal, oldest first',
    description: 'Use it to see who is signed in, since when, and with which credential.',
    caller: 'operator',
    query: z.object({
      actor: text(ACTOR_LENGTH).optional(),
      partner_id: idOf('partner').optional(),
      customer_id: idOf('merchant').optional(),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: ScreenSessionList,
    refusals: ['invalid_cursor'],
  }),
  end: operation({
    operationId: 'endSession',
    http: del('/sessions/:sessionId', { status: 204 }),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'End a session on every replica',
    description: 'Use it when somebody else may use a signed-in browser.',
    caller: 'operator',
    params: z.object({ sessionId: idOf('session') }),
    reply: z.strictObject({}),
    refusals: ['resource_not_found'],
  }),
  endAll: operation({
    operationId: 'endSessions',
    http: post('/sessions/end'),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'End all sessions and unused portal links of a person, a partner or a merchant',
    description:
      'Use it when somebody leaves. For a person, it also ends sessions and links that came from that person’s links.',
    caller: 'operator',
    body: EndSessions,
    reply: z.object({ ended_sessions: z.number().int(), ended_links: z.number().int() }),
  }),
})
