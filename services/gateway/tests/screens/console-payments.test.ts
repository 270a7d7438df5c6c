import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { KNOWN_CUSTOMER, KNOWN_MERCHANT } from '../fixtures/script.ts'
import { listedOrder } from '../fixtures/fake-orders.ts'
import { newStaffKey, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { signIn, type Visitor } from './console-visitor.ts'

const PATH = '/console/payments'

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
  Object.assign(fixture.script, {
    orders: [listedOrder()],
    names: new Map([[KNOWN_CUSTOMER, 'Alice & Sons']]),
  })
  fixture.script.asked.length = 0
})

/** The queries of the lists that were asked for. */
const askedFor = () =>
  fixture.script.asked.flatMap(({ query }) => (query === undefined || query === null ? [] : [query]))

test('shows payments of both kinds with their price, links and names', async () => {
  const partnerId = newId('partner')
  const crypto = listedOrder({ partner_id: partnerId })
  const card = listedOrder({
    ...{ kind: 'card', order_id: newId('fiatOrder'), order_key: '1001', status: 'completed' },
    ...{ amount: '4990', asset: null, network: null },
  })
  fixture.script.orders = [crypto, card]
  const { status, text } = await viewer.open(PATH)
  expect(status).toBe(200)
  expect(text).toContain(`<a href="/console/orders/${crypto.order_id}"><code>${crypto.order_id}</code></a>`)
  expect(text).toContain('<a href="/console/card-orders/1001"><code>1001</code></a>')
  expect(text).toMatch(/49\.90/)
  expect(text).toContain(`<a href="/console/customers/${KNOWN_CUSTOMER}">Alice &amp; Sons</a>`)
  expect(text).toContain(`<a href="/console/partners/${partnerId}"><code>${partnerId}</code></a>`)
  expect(text).not.toContain(`/console/merchants/${KNOWN_MERCHANT}`)
})

test('keeps filter and columns in the URL, in the form and in the link to the file', async () => {
  const filter = `status=paid&currency=eur&amount_from=10&since=2026-01-02T03%3A04`
  const { text } = await viewer.open(`${PATH}?${filter}&columns=status&columns=merchant`)
  expect(askedFor()[0]).toEqual({
    ...{ limit: 50, cursor: null, status: 'paid', currency: 'EUR', amount_from: '10' },
    since: '2026-01-02T03:04:00.000Z',
  })
  expect(text).toContain('<option value="paid" selected>')
  expect(text).toContain(`/console/merchants/${KNOWN_MERCHANT}`)
  expect(text).not.toContain('Alice')
  const link = /href="(\/console\/payments\.csv[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  expect(link).toBe(`${PATH}.csv?${filter}&columns=status&columns=merchant`)
})

test('calls again while a filter leaves few payments, at most four times, and says that older ones may match', async () => {
  fixture.script.orders = Array.from({ length: 300 }, (_, index) =>
    listedOrder({ status: index === 120 ? 'refunded' : 'paid' }),
  )
  const found = await viewer.open(`${PATH}?status=refunded`)
  expect(askedFor()).toHaveLength(4)
  expect(found.text).toContain('/console/orders/')
  expect(found.text).toContain('There may be older payments that match.')
  expect(found.text).toContain('cursor=')
  const none = await viewer.open(`${PATH}?status=expired`)
  expect(none.text).toContain('No payments on this page match the filter.')
})

test('shows an empty list, an invalid filter, an invalid cursor, and ids while names cannot be read', async () => {
  fixture.script.names = null
  const without = await viewer.open(PATH)
  expect([without.status, without.text.includes('Alice')]).toEqual([200, false])
  expect(without.text).toContain(KNOWN_CUSTOMER)
  fixture.script.orders = []
  expect((await viewer.open(PATH)).text).toContain('No payments yet.')
  expect((await viewer.open(`${PATH}?kind=card`)).text).toContain('No payments match the filter.')
  const refused = await viewer.open(`${PATH}?customer_id=%3Cscript%3E`)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('href="#field-customer_id"')
  expect(refused.text).not.toContain('<script>')
  expect((await viewer.open(`${PATH}?cursor=never`)).status).toBe(400)
})

test('downloads the payments of the filter as CSV with names, which no spreadsheet computes', async () => {
  fixture.script.names = new Map([[KNOWN_CUSTOMER, '=1+1']])
  fixture.script.orders = Array.from({ length: 130 }, () => listedOrder({ reference: '+2' }))
  const file = await viewer.open(`${PATH}.csv?status=paid`)
  expect(file.headers['content-disposition']).toBe('attachment; filename="payments.csv"')
  const lines = file.text.replace('\u{FEFF}', '').split('\r\n')
  expect(lines[0]).toBe(
    'created_at,kind,order,status,price,currency,asset,network,reference,customer_name,partner_customer_id,customer_id,partner_name,partner_id',
  )
  const [order] = fixture.script.orders
  expect(lines[1]).toBe(
    `2026-01-02T03:04:05.678Z,crypto,${order?.order_id},paid,30.00,EUR,BTC,BTC,'+2,'=1+1,${KNOWN_CUSTOMER},${KNOWN_MERCHANT},,${order?.partner_id}`,
  )
  expect(lines).toHaveLength(132)
})

test('redirects people without a session to the sign-in page', async () => {
  for (const path of [PATH, `${PATH}.csv`]) {
    const { status, headers } = await gateway.call('GET', path)
    expect([status, headers['location']]).toEqual([303, '/console/sign-in'])
  }
})
