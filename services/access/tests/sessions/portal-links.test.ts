import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { KNOWN_MERCHANT } from '../../../gateway/tests/fixtures/script.ts'
import { newPartner, newStaffKey } from '../../../gateway/tests/fixtures/running-gateway.ts'
import { linkIn, MINUTE_MS, startSessions, tokenIn, type StartedSessions } from './started-sessions.ts'

let started: StartedSessions
let clock: StartedSessions['clock']
let fixture: StartedSessions['fixture']
let gateway: StartedSessions['gateway']
let sessions: StartedSessions['sessions']
let partnerLink: StartedSessions['partnerLink']
beforeAll(async () => {
  started = await startSessions()
  ;({ clock, fixture, gateway, sessions, partnerLink } = started)
})
afterAll(() => started.close())

describe('a portal link', () => {
  test('opens one session, which acts for the partner for 8 hours', async () => {
    const { partnerId, made, token } = await partnerLink()
    expect(made.status).toBe(201)
    expect(Date.parse(linkIn(made).expires_at)).toBe(clock.nowMs() + 15 * MINUTE_MS)
    const opened = await sessions.openByPortalLink(token)
    expect(opened?.principal).toEqual({ kind: 'partner', partnerId })
    expect(opened?.expiresAt.getTime()).toBe(clock.nowMs() + 480 * MINUTE_MS)
    expect(await sessions.find(opened?.token ?? '')).toEqual({ kind: 'partner', partnerId })
    expect(await sessions.openByPortalLink(token)).toBeNull()
    clock.advance(480 * MINUTE_MS - 1)
    expect(await sessions.find(opened?.token ?? '')).toEqual({ kind: 'partner', partnerId })
    clock.advance(1)
    expect(await sessions.find(opened?.token ?? '')).toBeNull()
  })

  test('opens one session when many open it simultaneously', async () => {
    const { token } = await partnerLink()
    const opened = await Promise.all(Array.from({ length: 8 }, () => sessions.openByPortalLink(token)))
    expect(opened.filter((session) => session !== null)).toHaveLength(1)
  })

  test('is created for a merchant by staff and by the merchant', async () => {
    const merchantId = KNOWN_MERCHANT
    const path = `/merchants/${merchantId}`
    const byStaff = await gateway.operate('POST', `${path}/portal-links`)
    const { data } = await gateway.operate('POST', `${path}/api-keys`)
    const own = await gateway.call('POST', '/api/user/portal-links', {
      headers: { 'x-api-key': data.api_key },
    })
    for (const made of [byStaff, own]) {
      expect(made.status).toBe(201)
      const opened = await sessions.openByPortalLink(tokenIn(made))
      expect(opened?.principal).toEqual({ kind: 'merchant', merchantId })
    }
  })

  test('opens nothing after its expiry, for a disabled partner, or if it is unknown', async () => {
    const late = await partnerLink()
    clock.advance(15 * MINUTE_MS)
    expect(await sessions.openByPortalLink(late.token)).toBeNull()
    const disabled = await partnerLink()
    await gateway.operate('PATCH', `/partners/${disabled.partnerId}`, { status: 'disabled' })
    expect(await sessions.openByPortalLink(disabled.token)).toBeNull()
    for (const unknown of ['', 'A'.repeat(43), "'--"])
      expect(await sessions.openByPortalLink(unknown)).toBeNull()
  })

  test('requires an existing partner and the role admin', async () => {
    const unknown = await gateway.operate('POST', `/partners/${newId('partner')}/portal-links`)
    expect([unknown.status, unknown.code]).toEqual([404, 'resource_not_found'])
    const { partner } = await newPartner(gateway)
    const { key } = await newStaffKey(gateway, 'reviewer')
    const path = `/api/operator/partners/${partner.partner_id}/portal-links`
    const refused = await gateway.call('POST', path, { token: key })
    expect([refused.status, refused.code]).toEqual([403, 'insufficient_scope'])
  })

  test('is in the audit log without its URL, and stored only as a hash', async () => {
    const { partnerId, made, token } = await partnerLink()
    const opened = await sessions.openByPortalLink(token)
    const { data } = await gateway.operate('GET', '/audit?limit=100')
    expect(data.entries.find(({ request_id: id }) => id === made.json.request_id)).toMatchObject({
      action: 'gateway.portal-links.create-of-partner',
      target: partnerId,
      after: { portal_link: { expires_at: expect.any(String) } },
    })
    const rows = await fixture.sql<{ found: string }>(
      `SELECT (SELECT count(*) FROM portal_links l WHERE l::text LIKE $1) +
              (SELECT count(*) FROM sessions s WHERE s::text LIKE $2) +
              (SELECT count(*) FROM audit.records r WHERE r.record LIKE $1) AS found`,
      [`%${token}%`, `%${opened?.token}%`],
    )
    expect(rows).toEqual([{ found: '0' }])
  })
})
