import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT, KNOWN_WEBHOOK, WEBHOOK_SECRET } from '../fixtures/script.ts'
import {
  newPartner,
  newStaffKey,
  openFixture,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'
import { signIn, type Visitor } from './console-visitor.ts'

let fixture: Fixture
let gateway: Replica
let admin: Visitor
let viewer: Visitor
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  admin = await signIn(gateway)
  viewer = await signIn(gateway, (await newStaffKey(gateway, 'viewer')).key)
})
afterAll(async () => {
  await fixture.close()
})

const MARKUP = '<img src=x onerror=alert(1)>'
const ESCAPED = '&lt;img src=x onerror=alert(1)&gt;'

describe('people', () => {
  test('creates a key, shows it once, opens a session, and opens none once it is revoked', async () => {
    const created = await admin.post('/console/people', { name: MARKUP, role: 'finance' })
    expect(created.status).toBe(200)
    expect(created.text).not.toContain(MARKUP)
    const key = /staff_[\w-]{43}/.exec(created.text)?.[0] ?? ''
    const list = await admin.open('/console/people')
    expect(list.text).toContain(ESCAPED)
    expect(list.text).not.toContain(key)
    const colleague = await signIn(gateway, key)
    const own = await colleague.open('/console')
    const id = /stk_\w+/.exec(own.text)?.[0] ?? ''
    expect((await admin.post(`/console/people/${id}/revoke`)).headers['location']).toBe('/console/people')
    expect((await colleague.open('/console')).headers['location']).toBe('/console/sign-in')
    expect((await admin.open('/console/people')).text).not.toContain(id)
  })

  test('shows a missing name at its field, and keeps what was entered', async () => {
    const { status, text } = await admin.post('/console/people', { name: '', role: 'finance' })
    expect(status).toBe(400)
    expect(text).toContain('id="field-name-error"')
    expect(text).toMatch(/<option value="finance" selected/)
    expect(text).toContain('<title>Error: People')
  })

  test('refuses to revoke an unknown one', async () => {
    expect((await admin.post('/console/people/stk_unknown/revoke')).status).toBe(404)
  })
})

describe('partners', () => {
  test('creates one with its first client, whose secret is shown this one time', async () => {
    const form = {
      name: `Acme ${MARKUP}`,
      scopes: ['orders:read', 'kyb:read'],
      default_capabilities: ['refunds'],
    }
    const created = await admin.post('/console/partners/new', form)
    const partnerId = /prt_\w+/.exec(created.text)?.[0] ?? ''
    const clientId = /cli_\w+/.exec(created.text)?.[0] ?? ''
    const secret = /<code[^>]*>([\w-]{43})<\/code>/.exec(created.text)?.[1] ?? ''
    expect((await gateway.askToken({ client_id: clientId, client_secret: secret })).json.scope).toBe(
      'kyb:read orders:read',
    )
    const page = await admin.open(`/console/partners/${partnerId}`)
    expect(page.text).toContain(`Acme ${ESCAPED}`)
    expect(page.text).not.toContain(secret)
    expect((await admin.open('/console/partners')).text).toContain(ESCAPED)
  })

  test('changes one, disables it and enables it again', async () => {
    const { partner, token } = await newPartner(gateway)
    const path = `/console/partners/${partner.partner_id}`
    const changed = await admin.post(path, { name: 'Renamed', scopes: 'customers:read' })
    expect(changed.headers['location']).toBe(path)
    const read = async () => (await gateway.operate('GET', `/partners/${partner.partner_id}`)).data.partner
    expect(await read()).toMatchObject({
      name: 'Renamed',
      scopes: ['customers:read'],
      default_capabilities: [],
    })
    await admin.post(`${path}/status`, { status: 'disabled' })
    expect(await read()).toMatchObject({ status: 'disabled' })
    expect((await gateway.call('GET', '/api/v1/partner/customers', { token })).status).toBe(401)
    await admin.post(`${path}/status`, { status: 'active' })
    expect(await read()).toMatchObject({ status: 'active', name: 'Renamed' })
  })

  test('shows an error at its field, and keeps what was entered', async () => {
    const { status, text } = await admin.post('/console/partners/new', {
      name: ' '.repeat(300),
      scopes: 'kyb:read',
    })
    expect(status).toBe(400)
    expect(text).toContain('id="field-name-error"')
    expect(text).toMatch(/value="kyb:read"\s+checked/)
    expect(text).not.toMatch(/value="kyb:write"\s+checked/)
  })

  test('creates a client, narrows it, gives it a new secret and keys, and disables it', async () => {
    const { partner } = await newPartner(gateway)
    const path = `/console/partners/${partner.partner_id}/clients`
    const created = await admin.post(path)
    const clientId = /cli_\w+/.exec(created.text)?.[0] ?? ''
    const limits = {
      scopes: 'kyb:read',
      allowed_addresses: '192.0.2.1\n198.51.100.0/24',
      daily_refund_limit_cents: '500',
    }
    expect((await admin.post(`${path}/${clientId}`, limits)).headers['location']).toBe(`${path}/${clientId}`)
    const rotated = await admin.post(`${path}/${clientId}/secret`, { grace_seconds: '0' })
    expect(rotated.text).toMatch(/<code[^>]*>[\w-]{43}<\/code>/)
    const jwks = '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'
    expect((await admin.post(`${path}/${clientId}/keys`, { jwks })).status).toBe(303)
    await admin.post(`${path}/${clientId}/status`, { status: 'disabled' })
    const page = await admin.open(`${path}/${clientId}`)
    expect(page.text).toContain('198.51.100.0/24')
    expect(page.text).toContain('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
    const { data } = await gateway.operate('GET', `/partners/${partner.partner_id}`)
    expect(data.clients.find((client) => client.client_id === clientId)).toMatchObject({
      status: 'disabled',
      scopes: ['kyb:read'],
      allowed_addresses: ['192.0.2.1', '198.51.100.0/24'],
      daily_refund_limit_cents: 500,
    })
  })

  test.each([
    ['', { daily_refund_limit_cents: 'many' }, 'daily_refund_limit_cents'],
    ['', { allowed_addresses: 'nowhere' }, 'allowed_addresses'],
    ['/keys', { jwks: '{' }, 'jwks'],
    ['/keys', { jwks: '{"keys":[{"kty":"oct"}]}' }, 'jwks'],
  ])('shows an invalid field of a client (%s %j) at it', async (below, fields, field) => {
    const { partner, client } = await newPartner(gateway)
    const path = `/console/partners/${partner.partner_id}/clients/${client.client_id}${below}`
    const { status, text } = await admin.post(path, { scopes: 'kyb:read', ...fields })
    expect(status).toBe(400)
    expect(text).toContain(`id="field-${field}-error"`)
  })

  test('finds a client only under its own partner', async () => {
    const [one, other] = [await newPartner(gateway), await newPartner(gateway)]
    const path = `/console/partners/${one.partner.partner_id}/clients/${other.client.client_id}`
    expect((await admin.open(path)).status).toBe(404)
  })

  test('makes a link to the portal', async () => {
    const { partner } = await newPartner(gateway)
    const { text } = await admin.post(`/console/partners/${partner.partner_id}/portal-links`)
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:8080\/portal\/[\w-]{43}/)
  })

  test('adds a destination and shows its secret this one time', async () => {
    const { partner } = await newPartner(gateway)
    const path = `/console/partners/${partner.partner_id}/webhooks`
    expect((await admin.open(path)).text).toContain(KNOWN_WEBHOOK.url)
    const { text } = await admin.post(`${path}/new`, { url: 'https://example.com/hook' })
    expect(text).toContain(WEBHOOK_SECRET)
  })
})

describe('a merchant', () => {
  test('is opened by its id', async () => {
    const opened = await admin.post('/console/merchants', { customer_id: ` ${KNOWN_MERCHANT} ` })
    expect(opened.headers['location']).toBe(`/console/merchants/${KNOWN_MERCHANT}`)
    const wrong = await admin.post('/console/merchants', { customer_id: '../people' })
    expect([wrong.status, wrong.text.includes('Enter an id that begins with cus_.')]).toEqual([400, true])
  })

  test('is given a key, which is shown once and revoked, and a link to the portal', async () => {
    const path = `/console/merchants/${KNOWN_MERCHANT}`
    const created = await admin.post(`${path}/api-keys`)
    const key = /mk_[\w-]{43}/.exec(created.text)?.[0] ?? ''
    const page = await admin.open(path)
    expect(page.text).toContain(`…${key.slice(-4)}`)
    expect(page.text).not.toContain(key)
    const keyId = /key_\w+/.exec(page.text)?.[0] ?? ''
    expect((await admin.post(`${path}/api-keys/${keyId}/revoke`)).headers['location']).toBe(path)
    expect((await gateway.call('GET', '/api/user/api-keys', { headers: { 'x-api-key': key } })).status).toBe(
      401,
    )
    expect((await admin.post(`${path}/portal-links`)).text).toMatch(/\/portal\/[\w-]{43}/)
  })
})

describe('the audit log', () => {
  test('shows what an action changed, newest first, and is filtered', async () => {
    const { partner } = await newPartner(gateway, { name: 'Before' })
    const path = `/console/partners/${partner.partner_id}`
    await admin.post(path, { name: `After ${MARKUP}` })
    const { text } = await admin.open(
      `/console/audit?target=${partner.partner_id}&action=gateway.partners.update`,
    )
    expect(text).toContain('<code>Before</code>')
    expect(text).toContain(`<code>After ${ESCAPED}</code>`)
    expect(text.match(/<h2 id="aud_/g)).toHaveLength(1)
    expect(text).toMatch(/<option value="gateway.partners.update" selected>/)
    expect(text).not.toContain('<code>gateway.partners.create</code>')
    const all = await admin.open(`/console/audit?target=${partner.partner_id}`)
    const actions = [...all.text.matchAll(/<dd><code>(gateway\.[\w.-]+)<\/code>/g)].map(
      ([, action]) => action,
    )
    expect(actions).toEqual(['gateway.partners.update', 'gateway.partners.create'])
    const oldest = await admin.open(`/console/audit?target=${partner.partner_id}&order=oldest`)
    const [first, second] = ['create', 'update'].map((name) =>
      oldest.text.indexOf(`<code>gateway.partners.${name}</code>`),
    )
    expect(first).toBeLessThan(second ?? 0)
  })

  test('has pages by cursor, with each action on one of them', async () => {
    const seen: string[] = []
    let path: string | undefined = '/console/audit?action=gateway.'
    while (path !== undefined) {
      const { text }: { text: string } = await admin.open(path)
      seen.push(...[...text.matchAll(/<h2 id="(aud_\w+)"/g)].map(([, id]) => id ?? ''))
      path = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen.length).toBeGreaterThan(20)
    expect(new Set(seen).size).toBe(seen.length)
  })
})

test('shows which part does not answer in health', async () => {
  const { status, text } = await admin.open('/console/health')
  expect(status).toBe(200)
  expect(text).toContain('All parts are up.')
  expect(text).toContain('Service payments')
})

describe('a viewer', () => {
  test('reads, and is offered nothing that its role does not allow', async () => {
    const { partner, client } = await newPartner(gateway)
    for (const path of [
      '/console/partners',
      `/console/partners/${partner.partner_id}`,
      `/console/partners/${partner.partner_id}/clients/${client.client_id}`,
      `/console/partners/${partner.partner_id}/webhooks`,
      `/console/merchants/${KNOWN_MERCHANT}`,
      '/console/agreements',
      '/console/audit',
    ]) {
      const { status, text } = await viewer.open(path)
      expect([path, status]).toEqual([path, 200])
      expect([path, text.replaceAll(/\s+/g, ' ').match(/method="post" action="([^"]+)"/g)]).toEqual([
        path,
        ['method="post" action="/console/sign-out"'],
      ])
      expect(text).not.toContain('href="/console/people"')
    }
  })

  test('changes nothing by a form that it makes itself, and the attempt is in the audit log', async () => {
    const { partner } = await newPartner(gateway, { name: 'Untouched' })
    const path = `/console/partners/${partner.partner_id}`
    const refused = await viewer.post(path, { name: 'Taken' })
    expect([refused.status, refused.text.includes('Your role does not allow this')]).toEqual([403, true])
    const { data } = await gateway.operate('GET', `/partners/${partner.partner_id}`)
    expect(data.partner.name).toBe('Untouched')
    const log = await viewer.open(
      `/console/audit?target=${partner.partner_id}&action=gateway.partners.update`,
    )
    expect(log.text).toContain('Refused: insufficient_scope')
    expect((await viewer.open('/console/people')).status).toBe(403)
  })
})
