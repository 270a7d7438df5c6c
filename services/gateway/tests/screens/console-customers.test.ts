import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { KNOWN_CUSTOMER, KNOWN_MERCHANT } from '../fixtures/script.ts'
import { listedCustomer } from '../fixtures/fake-relationships.ts'
import { newStaffKey, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { signIn, type Visitor } from './console-visitor.ts'

const PATH = '/console/customers'

let fixture: Fixture
let gateway: Replica
let viewer: Visitor
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  viewer = await signIn(gateway, (await newStaffKey(gateway, 'viewer')).key)
})
afterAll(() => fixture.close())
beforeEach(() => {
  Object.assign(fixture.script, { customers: [listedCustomer('Alice Ops')] })
  fixture.script.asked.length = 0
})

/** The query of the last list that was asked for, without what it leaves out. */
const askedFor = () => fixture.script.asked.at(-1)?.query

test('shows customers with links to the relationship, the merchant and the partner', async () => {
  const partnerId = newId('partner')
  fixture.script.customers = [
    listedCustomer('Alice <Ops>', { partner_id: partnerId }),
    listedCustomer(null, { relationship_status: 'revoked', verification_status: null }),
  ]
  const { status, text } = await viewer.open(PATH)
  expect(status).toBe(200)
  expect(text).toContain(`<a href="/console/customers/${KNOWN_CUSTOMER}">Alice &lt;Ops&gt;</a>`)
  expect(text).toContain(`<a href="/console/customers/${KNOWN_CUSTOMER}"><code>${KNOWN_CUSTOMER}</code></a>`)
  expect(text).toContain(`href="/console/merchants/${KNOWN_MERCHANT}"`)
  expect(text).toContain(`href="/console/partners/${partnerId}"`)
  expect(text).toMatch(/aria-current="page"[^>]*>\s*Customers|href="\/console\/customers"[^>]*aria-current/)
  expect(text).not.toContain('ada@example.com')
})

test('keeps the filter in the URL, in the form and in the links to other pages', async () => {
  const partnerId = newId('partner')
  fixture.script.customers = Array.from({ length: 60 }, () =>
    listedCustomer('Alice Ops', { partner_id: partnerId }),
  )
  const filter = `partner_id=${partnerId}&relationship_status=active&since=2026-01-02T03%3A04&until=`
  const first = await viewer.open(`${PATH}?${filter}`)
  expect(askedFor()).toEqual({
    limit: 50,
    cursor: null,
    partner_id: partnerId,
    relationship_status: 'active',
    since: '2026-01-02T03:04:00.000Z',
  })
  expect(first.text).toContain(`value="${partnerId}"`)
  expect(first.text).toContain('<option value="active" selected>')
  expect(first.text).toContain('value="2026-01-02T03:04"')
  const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(next).toBe(`${PATH}?${filter}&cursor=50`)
  const second = await viewer.open(next)
  expect(askedFor()).toMatchObject({ cursor: '50', partner_id: partnerId })
  expect(second.text).toContain('End of the list')
})

test('offers the partners by name, and shows the name in the list', async () => {
  const admin = await signIn(gateway)
  const created = await admin.post('/console/partners/new', { name: 'Zebra Marketplace' })
  const partnerId = /href="\/console\/partners\/(prt_\w+)"/.exec(created.text)?.[1] ?? ''
  fixture.script.customers = [listedCustomer('Alice Ops', { partner_id: partnerId })]
  const { text } = await viewer.open(`${PATH}?partner_id=${partnerId}`)
  expect(text).toMatch(new RegExp(`<option value="${partnerId}" selected>\\s*Zebra Marketplace`))
  expect(text).toContain(`<a href="/console/partners/${partnerId}">Zebra Marketplace</a>`)
})

test.each([
  ['partner_id', 'prt_1%3Cscript%3E', 'prt_1&lt;script&gt;'],
  ['relationship_status', 'deleted', ''],
  ['since', 'yesterday', 'yesterday'],
])('names the field %s of a filter that cannot be read, and shows it again', async (field, value, shown) => {
  const { status, text } = await viewer.open(`${PATH}?${field}=${value}`)
  expect(status).toBe(400)
  expect(text).toContain(`href="#field-${field}"`)
  expect(text).toContain(shown)
  expect(text).not.toContain('<script>')
})

test('answers an error to a cursor that nobody issued, and says when no customer matches', async () => {
  expect((await viewer.open(`${PATH}?cursor=never`)).status).toBe(400)
  fixture.script.customers = []
  expect((await viewer.open(`${PATH}?relationship_status=revoked`)).text).toContain(
    'No customers match the filter.',
  )
  expect((await viewer.open(PATH)).text).toContain('No customers yet.')
})

test('redirects people without a session to the sign-in page', async () => {
  const { status, headers } = await gateway.call('GET', PATH)
  expect([status, headers['location']]).toEqual([303, '/console/sign-in'])
})
