import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import { newPartner, newStaffKey } from '../../../gateway/tests/fixtures/running-gateway.ts'
import {
  MINUTE_MS,
  OPERATOR_ACTOR,
  startSessions,
  tokenIn,
  type StartedSessions,
} from './started-sessions.ts'

let started: StartedSessions
let clock: StartedSessions['clock']
let fixture: StartedSessions['fixture']
let gateway: StartedSessions['gateway']
let sessions: StartedSessions['sessions']
let sessionsOf: StartedSessions['sessionsOf']
let partnerLink: StartedSessions['partnerLink']
beforeAll(async () => {
  started = await startSessions()
  ;({ clock, fixture, gateway, sessions, sessionsOf, partnerLink } = started)
})
afterAll(() => started.close())

describe('a session', () => {
  test('ends on every replica when it is ended, and when its partner is disabled', async () => {
    const [first, second] = [await partnerLink(), await partnerLink()]
    const ended = await sessions.openByPortalLink(first.token)
    const disabled = await sessions.openByPortalLink(second.token)
    await sessions.end(ended?.token ?? '', 'signed_out')
    expect(await sessions.find(ended?.token ?? '')).toBeNull()
    await gateway.operate('PATCH', `/partners/${second.partnerId}`, { status: 'disabled' })
    expect(await sessions.find(disabled?.token ?? '')).toBeNull()
  })

  test('has the name and role of its staff key, and ends with the key', async () => {
    const { id } = await newStaffKey(gateway, 'finance')
    const { token } = await sessions.openForStaff(id, 'finance')
    expect(await sessions.find(token)).toEqual({ kind: 'staff', actor: id, role: 'finance' })
    await gateway.operate('DELETE', `/staff-keys/${id}`)
    expect(await sessions.find(token)).toBeNull()
  })

  test('ends when the operator key that opened it, or created its link, is replaced', async () => {
    const { token } = await sessions.openForStaff(OPERATOR_ACTOR, 'admin')
    const ofPortal = await sessions.openByPortalLink((await partnerLink()).token)
    const unused = await partnerLink()
    for (const live of [token, ofPortal?.token ?? '']) expect(await sessions.find(live)).not.toBeNull()
    const later = sessionsOf('operator:later')
    for (const ended of [token, ofPortal?.token ?? '']) expect(await later.find(ended)).toBeNull()
    expect(await later.openByPortalLink(unused.token)).toBeNull()
  })

  test('stays ended when its partner is enabled again, and so do the partner’s links', async () => {
    const { partnerId, token } = await partnerLink()
    const unused = tokenIn(await gateway.operate('POST', `/partners/${partnerId}/portal-links`))
    const opened = await sessions.openByPortalLink(token)
    for (const status of ['disabled', 'active'])
      await gateway.operate('PATCH', `/partners/${partnerId}`, { status })
    expect(await sessions.find(opened?.token ?? '')).toBeNull()
    expect(await sessions.openByPortalLink(unused)).toBeNull()
  })

  test.each(['staff', 'the merchant itself'])(
    'ends with the API key that created its link, like an unused link, when %s revokes the key',
    async (revoker) => {
      const path = `/merchants/${KNOWN_MERCHANT}/api-keys`
      const { data } = await gateway.operate('POST', path)
      const headers = { 'x-api-key': data.api_key }
      const own = async () => tokenIn(await gateway.call('POST', '/api/user/portal-links', { headers }))
      const [used, unused] = [await own(), await own()]
      const opened = await sessions.openByPortalLink(used)
      const other = await sessions.openByPortalLink(
        tokenIn(await gateway.operate('POST', `/merchants/${KNOWN_MERCHANT}/portal-links`)),
      )
      const hint = data.api_key.slice(-4)
      const keys = (await gateway.operate('GET', path)).data.api_keys
      const keyId = keys.find((key) => key.hint === hint)?.key_id
      const revoked =
        revoker === 'staff'
          ? await gateway.operate('DELETE', `${path}/${keyId}`)
          : await gateway.call('DELETE', `/api/user/api-keys/${keyId}`, { headers })
      expect(revoked.status).toBe(200)
      expect(await sessions.find(opened?.token ?? '')).toBeNull()
      expect(await sessions.openByPortalLink(unused)).toBeNull()
      expect(await sessions.find(other?.token ?? '')).toMatchObject({ kind: 'merchant' })
    },
  )

  test('ends with the staff key that created its link, like an unused link', async () => {
    const { id, key } = await newStaffKey(gateway, 'admin')
    const { partner } = await newPartner(gateway)
    const make = async () =>
      tokenIn(
        await gateway.call('POST', `/api/operator/partners/${partner.partner_id}/portal-links`, {
          token: key,
        }),
      )
    const [used, unused] = [await make(), await make()]
    const opened = await sessions.openByPortalLink(used)
    await gateway.operate('DELETE', `/staff-keys/${id}`)
    expect(await sessions.find(opened?.token ?? '')).toBeNull()
    expect(await sessions.openByPortalLink(unused)).toBeNull()
  })

  test('ends after 30 idle minutes if it is a staff session, and does not if it is a portal session', async () => {
    const { token } = await sessions.openForStaff('oidc:idle', 'viewer')
    const ofPortal = await sessions.openByPortalLink((await partnerLink()).token)
    for (let use = 0; use < 3; use += 1) {
      clock.advance(28 * MINUTE_MS)
      expect(await sessions.find(token)).toMatchObject({ actor: 'oidc:idle' })
    }
    clock.advance(30 * MINUTE_MS)
    expect(await sessions.find(token)).toBeNull()
    expect(await sessions.find(ofPortal?.token ?? '')).toMatchObject({ kind: 'partner' })
  })
})

type Listed = Readonly<{ sessions: { session_id: string; subject: string; origin: string }[] }>
const listed = async (query: string) =>
  ((await gateway.operate('GET', `/sessions?${query}`)).data as unknown as Listed).sessions
const auditOf = async (sessionId: string) => {
  const { data } = await gateway.operate('GET', `/audit?order=newest&target=${sessionId}`)
  return data.entries
    .filter(({ action }) => action.startsWith('session.'))
    .map(({ action, actor, after }) => [action, actor, (after as { reason?: string }).reason])
}

describe('sessions in the operator API', () => {
  test('end for a person on every replica, and nobody else’s do', async () => {
    const other = await fixture.startReplica()
    const { token } = await sessions.openForStaff('oidc:gone', 'admin')
    const stays = await sessions.openForStaff('oidc:stays', 'admin')
    const cookie = `causeway_console=${token}`
    expect((await other.call('GET', '/console/sessions', { headers: { cookie } })).status).toBe(200)
    const [session] = await listed('actor=oidc:gone')
    const ended = await gateway.operate('POST', '/sessions/end', { actor: 'oidc:gone' })
    expect([ended.status, ended.data]).toEqual([200, { ended_sessions: 1, ended_links: 0 }])
    expect((await other.call('GET', '/console/sessions', { headers: { cookie } })).status).toBe(303)
    expect(await listed('actor=oidc:gone')).toEqual([])
    expect(await sessions.find(stays.token)).toMatchObject({ actor: 'oidc:stays' })
    expect(await auditOf(session?.session_id ?? '')).toEqual([
      ['session.ended', OPERATOR_ACTOR, 'ended_by_staff'],
      ['session.opened', 'oidc:gone', undefined],
    ])
    await other.stop()
  })

  test('end one by one, or for a partner together with its unused links', async () => {
    const { partnerId, token } = await partnerLink()
    await gateway.operate('POST', `/partners/${partnerId}/portal-links`)
    await sessions.openByPortalLink(token)
    const second = tokenIn(await gateway.operate('POST', `/partners/${partnerId}/portal-links`))
    const opened = await sessions.openByPortalLink(second)
    const [first, other] = await listed(`partner_id=${partnerId}`)
    expect(first).toMatchObject({ subject: partnerId, origin: OPERATOR_ACTOR })
    const path = `/sessions/${first?.session_id}`
    expect((await gateway.operate('DELETE', path)).status).toBe(204)
    expect((await gateway.operate('DELETE', path)).status).toBe(404)
    expect(await listed(`partner_id=${partnerId}`)).toEqual([other])
    const { data } = await gateway.operate('POST', '/sessions/end', { partner_id: partnerId })
    expect(data).toEqual({ ended_sessions: 1, ended_links: 1 })
    expect(await sessions.find(opened?.token ?? '')).toBeNull()
  })

  test('require the role admin, and exactly one owner to end all of the owner’s', async () => {
    const { key } = await newStaffKey(gateway, 'finance')
    expect((await gateway.call('GET', '/api/operator/sessions', { token: key })).status).toBe(403)
    for (const body of [{}, { actor: 'a', partner_id: newId('partner') }])
      expect((await gateway.operate('POST', '/sessions/end', body)).status).toBe(400)
  })
})

describe('people', () => {
  test('see and end their own sessions, and nobody else’s', async () => {
    const [mine, alsoMine] = [
      await sessions.openForStaff('oidc:me', 'viewer'),
      await sessions.openForStaff('oidc:me', 'viewer'),
    ]
    const theirs = await sessions.openForStaff('oidc:other', 'viewer')
    const own = await sessions.listOwn(mine.principal)
    expect(own).toHaveLength(2)
    const [other] = await listed('actor=oidc:other')
    expect(await sessions.endOwn(mine.principal, other?.session_id ?? '')).toBe(false)
    expect(await sessions.endOwn(mine.principal, own[1]?.sessionId ?? '')).toBe(true)
    expect(await sessions.find(alsoMine.token)).toBeNull()
    expect(await sessions.find(theirs.token)).not.toBeNull()
  })
})
