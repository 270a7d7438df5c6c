import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { listedOrder } from '../fixtures/fake-orders.ts'
import { newPartner, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { KNOWN_CUSTOMER, KNOWN_MERCHANT } from '../fixtures/script.ts'
import { cookieOf, postForm } from './console-visitor.ts'

const PATH = '/portal/payments'

type Open = (path: string) => ReturnType<Replica['call']>

let fixture: Fixture
let gateway: Replica
let partnerId: string
let openAsPartner: Open
let openAsMerchant: Open

/** Signs in by a link. @param owner path of the owner in staff's API */
const enter = async (owner: string): Promise<Open> => {
  const made = await gateway.operate('POST', `${owner}/portal-links`)
  const { url } = (made.data as unknown as { portal_link: { url: string } }).portal_link
  const cookie = cookieOf(await postForm(gateway, `/portal/${url.split('/').at(-1) ?? ''}`, {}))
  return (path) => gateway.call('GET', path, { headers: { cookie } })
}

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  partnerId = (await newPartner(gateway)).partner.partner_id
  openAsPartner = await enter(`/partners/${partnerId}`)
  openAsMerchant = await enter(`/merchants/${KNOWN_MERCHANT}`)
})
afterAll(() => fixture.close())
beforeEach(() => {
  fixture.script.orders = [listedOrder()]
  fixture.script.asked.length = 0
})

test('shows a merchant its payments with links to their pages', async () => {
  const crypto = listedOrder({ reference: '<b>' })
  const card = listedOrder({
    ...{ kind: 'card', order_id: newId('fiatOrder'), order_key: '1001', status: 'completed' },
    ...{ amount: '4990', asset: null, network: null },
  })
  fixture.script.orders = [crypto, card]
  const { status, text } = await openAsMerchant(PATH)
  expect(status).toBe(200)
  expect(text).toContain(`href="${PATH}/${crypto.order_id}"`)
  expect(text).toContain(`href="${PATH}/${card.order_id}"`)
  expect(text).toContain('€49.90')
  expect(text).toContain('&lt;b&gt;')
  expect(text).not.toContain(KNOWN_CUSTOMER)
  expect(fixture.script.asked).toMatchObject([{ caller: { kind: 'merchant', merchantId: KNOWN_MERCHANT } }])
})

test('shows a partner the payments of its customers', async () => {
  const { status, text } = await openAsPartner(PATH)
  expect([status, text.includes(KNOWN_CUSTOMER)]).toEqual([200, true])
  expect(fixture.script.asked).toMatchObject([{ params: { partnerId } }])
})

test('sends the filter to the operation, and keeps it in the form and in the link to the file', async () => {
  const filter = 'search=cart-1&status=paid&currency=eur&amount_from=10&since=2026-01-02T03%3A04'
  for (const [open, query] of [
    [openAsPartner, { cursor: null }],
    [openAsMerchant, { before: null }],
  ] as const) {
    fixture.script.asked.length = 0
    const { text } = await open(`${PATH}?${filter}`)
    expect(fixture.script.asked[0]?.query).toEqual({
      ...{ ...query, limit: 50, search: 'cart-1', status: 'paid', currency: 'EUR', amount_from: '10' },
      since: '2026-01-02T03:04:00.000Z',
    })
    expect(text).toContain('value="cart-1"')
    expect(text).toContain('<option value="paid" selected>')
    expect(text.replaceAll('&amp;', '&')).toContain(`href="${PATH}.csv?${filter}"`)
  }
})

test('continues on the next page with the filter', async () => {
  fixture.script.orders = Array.from({ length: 60 }, () => listedOrder())
  for (const open of [openAsPartner, openAsMerchant]) {
    const { text } = await open(`${PATH}?kind=crypto`)
    const next = /href="(\/portal\/payments\?[^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    expect(next).toBe(`${PATH}?kind=crypto&cursor=50`)
    const page = await open(next ?? '')
    expect(page.text).toContain(fixture.script.orders[59]?.order_id)
    expect(page.text).not.toContain(fixture.script.orders[49]?.order_id)
  }
})

test('downloads the payments of the filter as CSV', async () => {
  fixture.script.orders = [
    ...Array.from({ length: 120 }, () => listedOrder()),
    listedOrder({ status: 'expired' }),
  ]
  for (const open of [openAsPartner, openAsMerchant]) {
    const file = await open(`${PATH}.csv?status=paid`)
    expect(file.headers['content-disposition']).toBe('attachment; filename="payments.csv"')
    const lines = file.text.replace('\u{FEFF}', '').split('\r\n')
    expect(lines[0]).toBe(
      'created_at,kind,order,status,price,currency,asset,network,reference,partner_customer_id',
    )
    const [order] = fixture.script.orders
    expect(lines[1]).toBe(
      `2026-01-02T03:04:05.678Z,crypto,${order?.order_id},paid,30.00,EUR,BTC,BTC,cart-1,${KNOWN_CUSTOMER}`,
    )
    expect(lines).toHaveLength(122)
  }
})

test('says what to correct in an invalid filter, and redirects people without a session', async () => {
  const refused = await openAsMerchant(`${PATH}?amount_from=1e3&status=stolen`)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('Enter an amount, for example 12.50.')
  expect(refused.text).toContain('href="#field-status"')
  fixture.script.orders = []
  expect((await openAsMerchant(PATH)).text).toContain('No payments yet.')
  expect((await openAsPartner(`${PATH}?search=x`)).text).toContain('No payments match the filter.')
  for (const path of [PATH, `${PATH}.csv`])
    expect((await gateway.call('GET', path)).headers['location']).toBe('/portal/sign-in')
})

test("shows a partner an order of its customer, without the merchant's balances", async () => {
  const card = listedOrder({
    ...{ kind: 'card', order_id: newId('fiatOrder'), order_key: '1001', reference: '<b>' },
    ...{ amount: '4990', asset: null, network: null },
  })
  fixture.script.orders = [listedOrder(), card]
  const { status, text } = await openAsPartner(`${PATH}/${card.order_id}`)
  expect(status).toBe(200)
  for (const shown of ['1001', '€49.90', '&lt;b&gt;', KNOWN_CUSTOMER, 'Card']) expect(text).toContain(shown)
  expect(text).not.toContain('Entries')
  expect(text).toContain(`href="/pay/${card.order_id}"`)
  expect((await openAsPartner(`${PATH}/1001`)).status).toBe(200)
  expect(fixture.script.asked[0]).toMatchObject({ params: { partnerId }, query: { search: card.order_id } })
})

test('answers 404 for an order that is not in the list of the signed-in party', async () => {
  for (const open of [openAsPartner, openAsMerchant])
    for (const id of [newId('cryptoOrder'), 'cart-1', 'x'.repeat(300)])
      expect((await open(`${PATH}/${id}`)).status).toBe(404)
  expect((await gateway.call('GET', `${PATH}/x`)).headers['location']).toBe('/portal/sign-in')
})
