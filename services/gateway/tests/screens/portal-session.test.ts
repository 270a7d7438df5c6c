import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newPartner, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { operationRoutes } from '@causeway/contracts/http'
import { cookieOf, formTokenIn, postForm } from './console-visitor.ts'

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(async () => {
  await fixture.close()
})

const tokenOf = async (path: string): Promise<string> => {
  const made = await gateway.operate('POST', `${path}/portal-links`)
  return (made.data as unknown as { portal_link: { url: string } }).portal_link.url.split('/').at(-1) ?? ''
}

test('counts links that open nothing as failed credentials of their address', async () => {
  const limited = await fixture.startReplica({ credentialFailures: { ratePerSecond: 0.001, burst: 1 } })
  const guess = () => postForm(limited, `/portal/${'a'.repeat(43)}`, {})
  const answers = [await guess(), await guess()]
  expect(answers.map(({ status }) => status)).toEqual([410, 429])
  expect(answers[1]?.text).toContain('Wait a minute')
  await limited.stop()
})

test('keeps the cookie of a session out of reach of scripts and other sites', async () => {
  const { partner } = await newPartner(gateway)
  const opened = await postForm(gateway, `/portal/${await tokenOf(`/partners/${partner.partner_id}`)}`, {})
  expect(String(opened.headers['set-cookie'])).toMatch(
    /^causeway_portal=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/,
  )
  const page = await gateway.call('GET', '/portal', { headers: { cookie: cookieOf(opened) } })
  expect([page.status, page.text.includes(partner.partner_id)]).toEqual([200, true])
})

test('shows people of a partner its sessions and lets them end one', async () => {
  const { partner } = await newPartner(gateway)
  const enter = async () =>
    cookieOf(await postForm(gateway, `/portal/${await tokenOf(`/partners/${partner.partner_id}`)}`, {}))
  const [other, own] = [await enter(), await enter()]
  const open = (cookie: string) => gateway.call('GET', '/portal/sessions', { headers: { cookie } })
  const page = await open(own)
  const [first = '', ...rest] = [...page.text.matchAll(/\/portal\/sessions\/ses_\w+\/end/g)].map(
    ([path]) => path,
  )
  expect([page.status, rest.length]).toEqual([200, 1])
  const ended = await postForm(gateway, first, { form_token: formTokenIn(page) }, own)
  expect([ended.status, ended.headers['location']]).toEqual([303, '/portal/sessions'])
  expect([(await open(other)).status, (await open(own)).status]).toEqual([303, 200])
  expect((await postForm(gateway, first, { form_token: formTokenIn(page) }, own)).status).toBe(404)
})

test("lets a partner's people call what concerns its payments, its brand, its destinations and their log, and nothing else of staff", () => {
  const marked = operationRoutes.filter(({ portal }) => portal)
  expect(marked.map(({ operation }) => operation.subject).toSorted()).toEqual([
    'ledger.daily-totals.list-of-partner',
    'onboarding.brands.delete-logo-by-staff',
    'onboarding.brands.get-by-staff',
    'onboarding.brands.put-by-staff',
    'onboarding.brands.put-logo-by-staff',
    'payments.orders.list-of-partner',
    'webhooks.deliveries.list',
    'webhooks.deliveries.redeliver',
    'webhooks.destinations.create',
    'webhooks.destinations.delete',
    'webhooks.destinations.list',
    'webhooks.destinations.rotate-secret',
    'webhooks.destinations.test',
    'webhooks.destinations.update',
    'webhooks.events.get',
    'webhooks.events.list',
    'webhooks.events.list-of-destination',
    'webhooks.events.resend',
    'webhooks.redeliveries.cancel',
    'webhooks.redeliveries.create',
    'webhooks.redeliveries.get',
    'webhooks.redeliveries.list',
  ])
  for (const { path, ofPartner } of marked)
    expect([ofPartner, path.startsWith('/api/operator/partners/:partnerId/')]).toEqual([true, true])
})
