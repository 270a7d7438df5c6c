import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { KNOWN_CUSTOMER, KNOWN_MERCHANT } from '../fixtures/script.ts'
import {
  newStaffKey,
  openFixture,
  type Answer,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'
import { postForm, signIn, type Visitor } from './console-visitor.ts'

const PATH = '/console/find-merchant'

let fixture: Fixture
let gateway: Replica
let viewer: Visitor
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  viewer = await signIn(gateway, (await newStaffKey(gateway, 'viewer')).key)
})
afterAll(() => fixture.close())

/** The form fields of the search page, as a browser sends them with one of its buttons. */
const hiddenFields = ({ text }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" \/>/g)].flatMap(
      ([, name = '', value = '']) =>
        name === 'form_token' ? [] : [[name, value.replaceAll('&amp;', '&')] as const],
    ),
  )

const find = (fields: Record<string, string>) => viewer.post(PATH, fields)

describe('the search for a merchant of a form', () => {
  test.each([
    ['merchants', {}, KNOWN_MERCHANT, `/console/merchants/${KNOWN_MERCHANT}`],
    [
      'payout-announcement',
      { amount: '12.50', currency: 'EUR', recipient: 'alice' },
      KNOWN_MERCHANT,
      `/console/payouts?amount=12.50&currency=EUR&recipient=${KNOWN_MERCHANT}#field-recipient`,
    ],
    [
      'payout-run',
      { preview: 'yes', unit: 'EUR', partner_customer_id: '' },
      KNOWN_CUSTOMER,
      `/console/payouts/run?unit=EUR&partner_customer_id=${KNOWN_CUSTOMER}#field-partner_customer_id`,
    ],
    ['price-plan', { of: '' }, KNOWN_MERCHANT, `/console/books/price-plans?of=${KNOWN_MERCHANT}#field-of`],
    [
      'price-plan-assignment',
      { price_plan_id: 'ppl_1', owner: '' },
      KNOWN_MERCHANT,
      `/console/books/price-plans?price_plan_id=ppl_1&owner=${KNOWN_MERCHANT}#field-owner`,
    ],
    [
      'accounts',
      { unit: 'EUR', owner_id: '' },
      KNOWN_CUSTOMER,
      `/console/books/accounts?unit=EUR&owner_id=${KNOWN_CUSTOMER}#field-owner_id`,
    ],
    [
      'adjustment',
      { key: 'k', reason: 'A & B', owner: 'Al' },
      KNOWN_CUSTOMER,
      `/console/books/adjustments?reason=A+%26+B&owner=${KNOWN_CUSTOMER}#field-owner`,
    ],
    [
      'difference',
      { difference: 'dif_1', reason: 'seen' },
      KNOWN_CUSTOMER,
      `/console/books/differences?difference=dif_1&reason=seen&owner=${KNOWN_CUSTOMER}#field-owner`,
    ],
    [
      'sessions',
      { whose: 'actor', id: '' },
      KNOWN_MERCHANT,
      `/console/sessions?whose=customer_id&id=${KNOWN_MERCHANT}#field-id`,
    ],
  ])('returns to the form %s with the chosen id and every other entry', async (place, entries, id, to) => {
    const opened = await find({ find: place, ...entries })
    expect(opened.status).toBe(200)
    const found = await find({ ...hiddenFields(opened), 'find.text': 'alice' })
    expect(found.text).toContain('Alice Ops')
    expect(found.text).toContain(`name="find.chosen" value="${id}"`)
    const chosen = await find({ ...hiddenFields(found), 'find.text': 'alice', 'find.chosen': id })
    expect([chosen.status, chosen.headers['location']]).toEqual([303, to])
  })

  test('searches immediately for a name that was typed into the field of the id', async () => {
    const { text } = await find({ find: 'payout-announcement', recipient: 'Alice' })
    expect(text).toContain(KNOWN_MERCHANT)
    expect(text).toContain('value="Alice"')
  })

  test.each([
    [PATH, { find: 'payout-announcement', 'find.text': 'Alcie' }, `value="${KNOWN_MERCHANT}"`],
    ['/console/search', { q: 'Alcie' }, `href="/console/customers/${KNOWN_CUSTOMER}"`],
  ])(
    'shows at %s a merchant whose name was misspelt, apart from what was found',
    async (path, fields, link) => {
      const { text } = await viewer.post(path, fields)
      const at = text.search(/with a similar name|Similar names/)
      const [found, similar] = [text.slice(0, at), text.slice(at)]
      expect(found).toMatch(/No (merchant was|customers) found/)
      expect(similar).toContain('Alice Ops')
      expect(similar).toContain(link)
    },
  )

  test('finds customers by name, from the page that finds everything', async () => {
    const { text } = await viewer.post('/console/search', { q: 'alice' })
    expect(text).toContain(`href="/console/customers/${KNOWN_CUSTOMER}"`)
    expect(text).not.toContain('with a similar name')
  })

  test('opens from a form that sends its entries in the URL', async () => {
    const { status, text } = await viewer.open(`${PATH}?unit=EUR&owner_id=ali&find=accounts`)
    expect(status).toBe(200)
    expect(text).toContain(KNOWN_CUSTOMER)
    expect(text).toContain('<input type="hidden" name="unit" value="EUR" />')
  })

  test('posts the choice with entries that are too long for a URL to the form itself', async () => {
    const { text } = await find({ find: 'price-preview', rules: 'card EUR', 'find.text': 'alice' })
    expect(text).toMatch(
      new RegExp(
        `name="customer_id" value="${KNOWN_MERCHANT}" formaction="/console/books/price-plans/preview"`,
      ),
    )
    expect(text).toContain('<input type="hidden" name="rules" value="card EUR" />')
  })

  test('shows the next page, and starts again when the text has changed', async () => {
    const fields = { find: 'adjustment', 'find.text': 'alice' }
    expect((await find(fields)).text).toContain('name="find.cursor" value="second"')
    const second = await find({ ...fields, 'find.cursor': 'second' })
    expect(second.text).toContain(KNOWN_CUSTOMER)
    expect(second.text).not.toContain('find.cursor')
    expect((await find({ ...fields, 'find.cursor': 'other' })).text).toContain('No merchant was found.')
  })

  test('looks for an e-mail address and for a merchant by their own criteria', async () => {
    const { asked } = fixture.script
    const bodiesFor = async (text: string) => {
      asked.length = 0
      await find({ find: 'adjustment', 'find.text': text })
      return asked.map((request) => ('body' in request ? request.body : null))
    }
    expect(await bodiesFor('ada@example.com')).toEqual([{ email: 'ada@example.com' }])
    expect(await bodiesFor(KNOWN_MERCHANT)).toEqual([{ customer_id: KNOWN_MERCHANT }])
    // Both are asked for at the same time, and arrive in either order.
    const both = await bodiesFor('Al')
    expect(both).toHaveLength(2)
    expect(both).toEqual(expect.arrayContaining([{ name: 'Al' }, { external_customer_id: 'Al' }]))
  })

  test('leads to no other site, and needs a known form and the token of a page', async () => {
    for (const place of ['https://example.com', '__proto__', ''])
      expect((await find({ find: place })).status).toBe(404)
    const chosen = await find({ find: 'merchants', 'find.chosen': '//example.com' })
    expect([chosen.status, chosen.headers['location']]).toEqual([200, undefined])
    const forged = await postForm(gateway, PATH, { find: 'merchants', form_token: 'forged' }, viewer.cookie)
    expect(forged.status).toBe(403)
  })
})
