import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { KNOWN_CUSTOMER, KNOWN_MERCHANT } from '../fixtures/script.ts'
import { listedCustomer } from '../fixtures/fake-relationships.ts'
import {
  newStaffKey,
  openFixture,
  type Answer,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'
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

/** The lines of a file, without its byte order mark. */
const linesOf = ({ text }: Answer): string[] => text.replace('\u{FEFF}', '').split('\r\n')

test('downloads the customers of the filter as CSV, page by page, without e-mail addresses', async () => {
  const partnerId = newId('partner')
  fixture.script.customers = [
    ...Array.from({ length: 130 }, () => listedCustomer('Zoë, "Bakery"', { partner_id: partnerId })),
    listedCustomer('Of another partner'),
  ]
  const filter = `partner_id=${partnerId}&since=2026-01-02T03%3A04`
  const page = await viewer.open(`${PATH}?${filter}&cursor=50`)
  const link = /href="(\/console\/customers\.csv[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(link).toBe(`${PATH}.csv?${filter}`)
  const file = await viewer.open(link)
  expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(file.headers['content-disposition']).toBe('attachment; filename="customers.csv"')
  expect(file.headers['cache-control']).toBe('no-store')
  const lines = linesOf(file)
  expect(lines[0]).toBe(
    'created_at,name,partner_id,external_customer_id,partner_customer_id,customer_id,country,relationship_status,link_confirmed,verification_status',
  )
  expect(lines[1]).toBe(
    `2026-01-02T03:04:05.678Z,"Zoë, ""Bakery""",${partnerId},shop-1,${KNOWN_CUSTOMER},${KNOWN_MERCHANT},FR,active,true,pending`,
  )
  expect(lines).toHaveLength(132)
  expect(file.text).not.toContain('@example.com')
  expect(askedFor()).toMatchObject({
    cursor: '100',
    limit: 100,
    partner_id: partnerId,
    since: '2026-01-02T03:04:00.000Z',
  })
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/C calc"!A0'])(
  'writes the name and the external id %j so that no spreadsheet computes them',
  async (text) => {
    fixture.script.customers = [listedCustomer(text, { external_customer_id: text })]
    const file = await viewer.open(`${PATH}.csv`)
    const cell = `'${text}`.replaceAll('"', '""')
    const escaped = /["\r]/.test(text) ? `"${cell}"` : cell
    const [customer] = fixture.script.customers
    expect(file.text).toContain(`,${escaped},${customer?.partner_id ?? ''},${escaped},`)
  },
)

test('quotes a name with a line break, so that no part of it begins a row', async () => {
  fixture.script.customers = ['a\r=1', 'b\n=1', 'c\r\n=1'].map((name) => listedCustomer(name))
  const { text } = await viewer.open(`${PATH}.csv`)
  for (const cell of ['"a\r=1"', '"b\n=1"', '"c\r\n=1"']) expect(text).toContain(`,${cell},`)
})

test('ends a file after 10,000 customers, and says so in its name', async () => {
  fixture.script.customers = Array.from({ length: 10_001 }, () => listedCustomer('Alice Ops'))
  const file = await viewer.open(`${PATH}.csv`)
  expect(file.headers['content-disposition']).toBe('attachment; filename="customers-newest-10000.csv"')
  expect(linesOf(file)).toHaveLength(10_002)
  expect((await viewer.open(PATH)).text).toContain('The newest 10,000 that match the filter.')
})

test('sends no file for a filter that cannot be read, nor to people without a session', async () => {
  const refused = await viewer.open(`${PATH}.csv?partner_id=prt_1`)
  expect([refused.status, refused.headers['content-disposition']]).toEqual([400, undefined])
  const { status, headers } = await gateway.call('GET', `${PATH}.csv`)
  expect([status, headers['location']]).toEqual([303, '/console/sign-in'])
})

test('records in the audit log who has downloaded customers, an entry for each 100', async () => {
  const { id, key } = await newStaffKey(gateway, 'viewer')
  fixture.script.customers = Array.from({ length: 101 }, () => listedCustomer('Alice Ops'))
  await (await signIn(gateway, key)).open(`${PATH}.csv`)
  const admin = await signIn(gateway)
  const { text } = await admin.open(
    `/console/audit?actor=${id}&action=onboarding.relationships.list-by-staff`,
  )
  expect([...text.matchAll(/<article/g)]).toHaveLength(2)
})

test('redirects people without a session to the sign-in page', async () => {
  const { status, headers } = await gateway.call('GET', PATH)
  expect([status, headers['location']]).toEqual([303, '/console/sign-in'])
})

test('names merchants and partners next to their ids, and shows the ids alone while no name can be read', async () => {
  const admin = await signIn(gateway)
  const created = await admin.post('/console/partners/new', { name: 'Yak Marketplace' })
  const partnerId = /href="\/console\/partners\/(prt_\w+)"/.exec(created.text)?.[1] ?? ''
  fixture.script.names = new Map([[KNOWN_MERCHANT, 'Alice & Sons']])
  const merchant = `/console/merchants/${KNOWN_MERCHANT}`
  expect((await viewer.open(merchant)).text).toContain(
    `<h1>Merchant Alice &amp; Sons <code>${KNOWN_MERCHANT}</code></h1>`,
  )
  const log = await admin.open(`/console/audit?target=${partnerId}`)
  expect(log.text).toContain(`Yak Marketplace <code>${partnerId}</code>`)
  const reads = await admin.open('/console/audit?action=gateway.partners.list-names')
  expect(reads.text).toContain('Read')
  expect(reads.text).not.toMatch(/Yak Marketplace|Outcome not recorded|Changes:/)
  const found = await admin.open(`/console/audit?target=${KNOWN_MERCHANT}`)
  expect(found.text).toContain(`Alice &amp; Sons <code>${KNOWN_MERCHANT}</code>`)

  fixture.script.names = null
  const without = await viewer.open(merchant)
  expect([without.status, without.text.includes('Alice')]).toEqual([200, false])
  expect(without.text).toContain(`<code>${KNOWN_MERCHANT}</code>`)
})
